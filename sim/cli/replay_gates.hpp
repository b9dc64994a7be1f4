/// @file
/// The gates of a replay, from names and from a file.
#pragma once

#include <string>
#include <vector>

#include <specroute/vocab/result.hpp>

#include "sim/replay/play.hpp"

namespace specroute::sim {

/// Gates of the module by name, then those of the file: an object of label -> configuration, as in
/// a scenario. Without either, `none` and `validity`. Faults: unknown names with the nearest,
/// labels that come twice, configurations that the module refuses.
/// @param text the file's; empty where there is none. @param file names it in diagnostics
[[nodiscard]] Result<std::vector<ReplayGate>> replay_gates(const srp_module& module,
                                                           const std::vector<std::string>& names,
                                                           const std::string& text,
                                                           const std::string& file);

}  // namespace specroute::sim
