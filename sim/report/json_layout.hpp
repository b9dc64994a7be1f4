/// @file
/// JSON that people can read and compare line by line.
#pragma once

#include <string>
#include <string_view>

namespace specroute::sim {

/// Lays a compact JSON text out: an object that holds objects gets a line per member, and so does
/// an array that holds any; all else stays on its line. Members and numbers keep their text.
/// @param compact valid JSON without white space between tokens
[[nodiscard]] std::string laid_out(std::string_view compact);

}  // namespace specroute::sim
