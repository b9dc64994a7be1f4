/// @file
/// A number as people read it in a table.
#pragma once

#include <optional>
#include <string>

namespace specroute::sim {

/// With that many decimals, "-" where there is no value; never "-0.0".
[[nodiscard]] std::string fixed_text(std::optional<double> value, int decimals);

}  // namespace specroute::sim
