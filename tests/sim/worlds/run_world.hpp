/// @file
/// Runs a scenario in a process of its own, as every replication must.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/engine/zygote.hpp"
#include "sim/world/world.hpp"

namespace specroute::sim {

struct WorldRun {
  std::function<Scenario()> scenario;
  RunOptions options;
};

/// One result for each run, in order; a child that died is a result whose `failure` says how.
[[nodiscard]] std::vector<RunResult> run_worlds(const std::vector<WorldRun>& runs);

/// Runs each of them once under equal options; none may fail.
inline std::vector<RunResult> run_all(const std::vector<Scenario>& scenarios,
                                      const RunOptions& options = {}) {
  std::vector<WorldRun> runs;
  for (const Scenario& scenario : scenarios)
    runs.push_back({[scenario] { return scenario; }, options});
  auto results = run_worlds(runs);
  for (const RunResult& result : results) EXPECT_EQ(result.failure, "");
  return results;
}

/// The value of a metric that applies; NaN where there is none.
[[nodiscard]] double metric(const RunResult& result, const std::string& path);

}  // namespace specroute::sim
