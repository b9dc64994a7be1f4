/// @file
/// The files of a result.
#pragma once

#include <string>
#include <vector>

#include <specroute/policy_abi.h>
#include <specroute/vocab/units.hpp>

#include "sim/report/result_directory.hpp"
#include "sim/report/summary_json.hpp"

namespace specroute::sim {

/// How a result was made: the command is part of it, the time it took is not.
struct Making {
  std::vector<std::string> command;  ///< without paths and parallelism
  unsigned jobs;
  Seconds wall;
};

/// summary.json, timeseries.csv, decisions.jsonl, scenario.json (resolved), requests.csv where rows
/// were kept, manifest.json; and timing.json, the one file that differs from run to run.
[[nodiscard]] std::vector<ResultFile> result_files(const Report& report, const srp_module& module,
                                                   const Making& making);

}  // namespace specroute::sim
