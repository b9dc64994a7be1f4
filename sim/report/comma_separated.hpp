/// @file
/// Rows of a run as rows of a file of several gates.
#pragma once

#include <string>
#include <string_view>

namespace specroute::sim {

/// A field as CSV wants it: quoted where it holds a comma, a quote or a line break.
/// @source RFC 4180
[[nodiscard]] std::string csv_field(std::string_view text);

/// `rows` with `first_field` put before each. Rows end in a line break and hold none inside.
[[nodiscard]] std::string prefix_rows(std::string_view first_field, std::string_view rows);

}  // namespace specroute::sim
