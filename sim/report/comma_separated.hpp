/// @file
/// Rows of a run as rows of a file of several gates.
#pragma once

#include <string>
#include <string_view>

#include "sim/world/csv_field.hpp"

namespace specroute::sim {

/// `rows` with `first_field` put before each. Rows end in a line break and hold none inside.
[[nodiscard]] std::string prefix_rows(std::string_view first_field, std::string_view rows);

}  // namespace specroute::sim
