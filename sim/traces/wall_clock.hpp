/// @file
/// Dates of a wall clock as Azure's traces print them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace specroute::sim {

/// "YYYY-MM-DD hh:mm:ss", then up to nine digits of a fraction, then nothing, "Z" or "+00:00".
/// @return units of 100 ns since 1970 (further digits are cut off); nothing for any other text, or
/// a date that no calendar has. Years 1970 to 9999, no leap seconds.
[[nodiscard]] std::optional<std::int64_t> wall_clock_ticks(std::string_view text);

inline constexpr double kTicksPerSecond = 1e7;

}  // namespace specroute::sim
