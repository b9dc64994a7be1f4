/// @file
/// Runs a scenario in a process of its own, as every replication must.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/engine/zygote.hpp"
#include "sim/world/world.hpp"

namespace specroute::sim {

struct WorldRun {
  std::function<Scenario()> scenario;
  RunOptions options;
};

/// One result for each run, in order; a child that died is a result whose `failure` says how.
[[nodiscard]] std::vector<RunResult> run_worlds(const std::vector<WorldRun>& runs);

/// The value of a metric that applies; NaN where there is none.
[[nodiscard]] double metric(const RunResult& result, const std::string& path);

}  // namespace specroute::sim
