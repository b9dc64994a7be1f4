/// @file
/// What lines of engines' logs have in common: dates in front, numbers after a key.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/telemetry/intake.hpp"

namespace specroute::sim {

/// The line without terminal colours ("ESC [ ... m").
[[nodiscard]] std::string without_colours(std::string_view line);

/// Takes a date of RFC 3339 off the front, as `kubectl logs --timestamps` and container runtimes
/// put it there.
[[nodiscard]] std::optional<UnixTime> take_front_date(std::string_view& line);

/// The number at the front of `text`, after blanks: digits with a point. Takes it off.
[[nodiscard]] std::optional<double> take_real(std::string_view& text);

/// The number that stands after `key`; nothing where either is missing.
[[nodiscard]] std::optional<double> real_after(std::string_view line, std::string_view key);
/// The same for a whole number below 2^40.
[[nodiscard]] std::optional<std::uint64_t> whole_after(std::string_view line, std::string_view key);

/// Numbers separated by commas from the front of `text`, up to what is none.
[[nodiscard]] std::vector<double> take_reals(std::string_view text);

/// round(rate x steps) for each rate: accepted tokens by position.
[[nodiscard]] std::vector<std::uint64_t> counts_of_rates(const std::vector<double>& rates,
                                                         std::uint64_t steps);

}  // namespace specroute::sim
