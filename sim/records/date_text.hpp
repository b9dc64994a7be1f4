/// @file
/// Dates of the policy ABI as people write them: decimal seconds, exact to the nanosecond.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <specroute/policy_abi.h>

namespace specroute::sim {

/// Seconds with as many decimals as the nanoseconds need: "12", "0.25", "3.000000001".
[[nodiscard]] std::string seconds_text(srp_ns date);

/// The date that a JSON number stands for, read digit by digit and never through a double; what is
/// finer than a nanosecond is rounded to the nearest, halves up. None for a negative number, for
/// one that 64 bits of nanoseconds cannot hold, and for what is no number.
[[nodiscard]] std::optional<srp_ns> nanoseconds_of(std::string_view seconds);

}  // namespace specroute::sim
