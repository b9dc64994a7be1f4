/// @file
/// Text as a field of a comma-separated row.
#pragma once

#include <string>
#include <string_view>

namespace specroute::sim {

/// A field as CSV wants it: quoted where it holds a comma, a quote or a line break.
/// @source RFC 4180
[[nodiscard]] std::string csv_field(std::string_view text);

/// A field of a row that stays one line: a line break in the text becomes a space.
[[nodiscard]] std::string one_line_field(std::string_view text);

}  // namespace specroute::sim
