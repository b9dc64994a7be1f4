#include "tests/sim/worlds/run_world.hpp"

#include <limits>

#include <specroute/policy_abi.h>

namespace specroute::sim {

std::vector<RunResult> run_worlds(const std::vector<WorldRun>& runs) {
  const auto replication = [&runs](std::uint64_t index) {
    const Scenario scenario = runs[index].scenario();
    const auto prepared = prepare(scenario, *srp_module_get(SRP_ABI_V1));
    RunResult result;
    if (!prepared) {
      result.failure = to_string(prepared.diagnostics().front());
      return to_bytes(result);
    }
    Platform platform(platform_plan(scenario));
    result =
        run_replication(prepared.value(), platform, scenario.gates.front(), runs[index].options);
    return to_bytes(result);
  };
  ForkOptions options;
  options.count = runs.size();
  options.jobs = 2;
  options.timeout = Seconds{60.0};
  std::vector<RunResult> results;
  for (const JobResult& job : run_forked([&] { return Replication(replication); }, options)) {
    results.emplace_back();
    if (job.end == JobEnd::finished)
      results.back() = from_bytes(job.output);
    else
      results.back().failure = describe(job) + ": " + job.last_words;
  }
  return results;
}

double metric(const RunResult& result, const std::string& path) {
  for (const auto& [name, value] : result.metrics)
    if (name == path && value) return *value;
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace specroute::sim
