/// @file
/// The text of a file, whole, or why there is none.
#pragma once

#include <string>

#include <specroute/vocab/result.hpp>

namespace specroute::sim {

/// Of a regular file alone: a device or a pipe may never end.
[[nodiscard]] Result<std::string> text_of_file(const std::string& path);

}  // namespace specroute::sim
