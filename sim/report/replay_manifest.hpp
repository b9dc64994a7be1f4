/// @file
/// What a replay was made from.
#pragma once

#include <string>
#include <vector>

#include "sim/replay/replay.hpp"
#include "sim/report/result_directory.hpp"

namespace specroute::sim {

/// manifest.json: version and commit, hashes of mapping, inputs, configurations and of the other
/// files of the result. No paths.
/// @param inputs the mapping, where there is one, and the files of telemetry
[[nodiscard]] std::string replay_manifest_json(const Replay& replay,
                                               const std::vector<ResultFile>& inputs,
                                               const std::vector<ResultFile>& results);

}  // namespace specroute::sim
