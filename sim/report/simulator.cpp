#include <specroute/simulator.hpp>

#include <algorithm>

#include "sim/digest/sha256.hpp"
#include "sim/experiment/gate_selection.hpp"
#include "sim/experiment/load_scenario.hpp"
#include "sim/report/failures.hpp"
#include "sim/report/summary_json.hpp"

namespace specroute::simulator {
namespace {

Diagnostics option_faults(const Options& options) {
  Diagnostics faults;
  const auto require = [&](bool holds, const char* place, const char* expected, const char* found) {
    if (!holds) faults.push_back({{}, place, expected, found, {}});
  };
  require(!options.seeds.empty(), "seeds", "at least one seed", "none");
  require(options.jobs >= 1, "jobs", "at least one job", "0");
  require(options.timeout.count() > 0.0, "timeout", "a time above 0", "none");
  return faults;
}

Summary face_of(const sim::Report& report) {
  Summary summary;
  summary.scenario_sha256 = sim::sha256_hex(report.scenario.resolved_json);
  summary.seeds = report.campaign.seeds;
  for (std::size_t g = 0; g < report.gates.size(); ++g) {
    GateResult gate{report.gates[g].label, {}, report.campaign.gates[g].digests};
    for (const sim::MetricSummary& metric : report.gates[g].metrics)
      gate.metrics.push_back(
          {metric.name, metric.per_seed, metric.interval.mean, metric.interval.half_width});
    summary.gates.push_back(std::move(gate));
  }
  summary.failed_expectations = static_cast<std::size_t>(std::ranges::count(
      report.expectations, sim::Verdict::fail, &sim::ExpectationOutcome::verdict));
  summary.json = sim::summary_json(report);
  return summary;
}

}  // namespace

Result<Summary> simulate(const std::string& scenario_path, const Options& options) {
  if (auto faults = option_faults(options); !faults.empty()) return faults;
  const srp_module& module = *srp_module_get(SRP_ABI_V1);
  const auto scenario = sim::load_scenario(scenario_path, module);
  if (!scenario) return scenario.diagnostics();
  const auto gates = sim::select_gates(scenario.value(), options.gates);
  if (!gates) return gates.diagnostics();
  const auto campaign = sim::run_campaign(
      scenario.value(), module, gates.value(),
      {.seeds = options.seeds,
       .jobs = options.jobs,
       .mode = options.lockstep ? sim::LaneMode::lockstep : sim::LaneMode::lookahead,
       .keep_requests = false,
       .timeout = options.timeout,
       .progress = {}});
  if (!campaign) return sim::in_file(scenario_path, campaign.diagnostics());
  if (!campaign.value().failures.empty())
    return sim::failure_diagnostics(scenario_path, campaign.value());
  const auto summaries = sim::summarise(campaign.value());
  const auto outcomes = sim::judge_expectations(scenario.value().expect, summaries);
  return face_of({scenario.value(), campaign.value(), summaries, outcomes});
}

}  // namespace specroute::simulator
