/// @file
/// manifest.json: what a result came from, so that it can be made again.
#pragma once

#include <string>
#include <vector>

#include <specroute/policy_abi.h>

#include "sim/report/result_directory.hpp"
#include "sim/report/summary_json.hpp"

namespace specroute::sim {

/// Commit, compiler, SimGrid, scenario hash, seeds, policy of each gate with the hash of its
/// configuration, the command, and the hashes of the files beside it.
/// @param command the command line without what belongs to the machine (paths, parallelism)
[[nodiscard]] std::string manifest_json(const Report& report, const srp_module& module,
                                        const std::vector<std::string>& command,
                                        const std::vector<ResultFile>& files);

}  // namespace specroute::sim
