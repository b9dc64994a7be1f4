/// @file
/// What --policy says: `[NAME=]lib:PATH[:CONFIG]` or `[NAME=]exec:COMMAND`.
#pragma once

#include <string>
#include <vector>

#include <specroute/vocab/result.hpp>

#include "sim/plugins/plugin.hpp"

namespace specroute::sim {

/// Reads the arguments, and the files of configurations that they name. Fails with every fault.
/// CONFIG is the path of a JSON file, or JSON itself where it begins with "{"; without it the
/// module gets "{}". A label that is not given comes from the file's name, and is made unique.
/// Of `identity` the source, the hash and the files are set.
/// @param taken labels of gates that run beside
[[nodiscard]] Result<std::vector<Plugin>> read_plugins(const std::vector<std::string>& arguments,
                                                       const std::vector<std::string>& taken);

}  // namespace specroute::sim
