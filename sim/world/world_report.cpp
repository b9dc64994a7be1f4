// What is left of a run when it is over: its metrics and its files.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/world/upkeep.hpp"
#include "sim/world/world.hpp"

namespace specroute::sim {

RunResult World::finish(RunEnd end) {
  RunResult result;
  if (end == RunEnd::livelock) {
    result.failure = lane_.diagnosis();
    return result;
  }
  if (!watch_ended_) on_mark(kWatchEnds);
  check_invariants();
  totals_.report(result.metrics);
  incident_.report(result.metrics);
  std::vector<std::string> names;
  for (const Backend& backend : scenario_.backends) names.push_back(backend.name);
  result.metrics.emplace_back("lock.first_harmful_s", first_harmful_lock());
  ledger_.report(result.metrics, scenario_.horizon);
  attribution_.report(result.metrics, ledger_.pairing_names(names), decisions_);
  const std::vector<BackendMeter> of_backends = meters();
  report_backends(result.metrics, of_backends, lane_.now());
  report_fleet(result.metrics, of_backends, lane_.now());
  std::vector<Seconds> busy;
  for (const BackendMeter& meter : of_backends) busy.push_back(meter.busy);
  report_upkeep(result.metrics, scenario_, busy, lane_.now(), totals_.tokens());
  weight_loads_.report(result.metrics, kWeightLoads);
  draft_flows_.report(result.metrics, kDraftFlows);
  for (std::size_t b = 0; b < backends_.size(); ++b) report_scheduling(result.metrics, b);
  totals_.report_classes(result.metrics);
  report_tries(result.metrics);
  tenants_.report(result.metrics);
  report_traces(result.metrics, scenario_, arrivals_);
  result.decisions = std::move(decisions_);
  result.timeseries_csv = series_.take_rows();
  result.requests_csv = std::move(request_rows_);
  result.outcomes = take_outcomes();
  result.digest = digest_;
  return result;
}

/// For pairing with another gate's run: what is not a clean completion.
void World::note_outcome(const Ending& ending) {
  const std::uint64_t request = ending.sequence.request.value;
  if (ending.state != EndState::completed)
    outcomes_.unserved.push_back(request);
  else if (ending.sequence.degraded())
    outcomes_.degraded.push_back(request);
}

/// Requests end in any order and are handed over in that of their arrival.
Outcomes World::take_outcomes() {
  if (options_.keep_outcomes) outcomes_.arrived = next_request_;
  std::ranges::sort(outcomes_.degraded);
  std::ranges::sort(outcomes_.unserved);
  return std::move(outcomes_);
}

/// How long the fail-over's wrong reward lasted; nothing where there was no fail-over.
std::optional<double> World::first_harmful_lock() const {
  if (!incident_.t0()) return std::nullopt;
  return ledger_.first_harmful_lock(*incident_.t0(), scenario_.horizon).count();
}

/// What every backend's engines add up to, at the end.
std::vector<BackendMeter> World::meters() {
  std::vector<BackendMeter> meters;
  for (std::size_t b = 0; b < backends_.size(); ++b) {
    BackendMeter meter{.backend = &scenario_.backends[b]};
    meter.loops_ended = backends_[b].loops_ended;
    for (TargetEngine& engine : backends_[b].engines) {
      const double total = static_cast<double>(engine.kv().total());
      meter.busy += engine.busy_by(lane_.now());
      meter.work.add(engine.work());
      meter.kv_blocks += total;
      meter.kv_block_seconds += engine.kv_block_seconds(lane_.now());
      meter.kv_fullest =
          std::max(meter.kv_fullest, static_cast<double>(engine.kv().peak()) / total);
    }
    for (const DraftEngine& engine : backends_[b].drafts) {
      meter.busy += engine.busy_by(lane_.now());
      meter.work.add(engine.work_by(lane_.now()));
    }
    meters.push_back(meter);
  }
  return meters;
}

/// Of what the scenario asked its engines to do: preempt, or keep prefixes.
void World::report_scheduling(Metrics& metrics, std::size_t backend) const {
  const Backend& asked = scenario_.backends[backend];
  EngineCounters sum;
  for (const TargetEngine& engine : backends_[backend].engines) sum += engine.counters();
  if (asked.options.admission == Admission::on_demand) {
    metrics.emplace_back("preemptions." + asked.name, static_cast<double>(sum.preemptions));
    metrics.emplace_back("recomputed_tokens." + asked.name,
                         static_cast<double>(sum.recomputed_tokens));
  }
  if (!asked.options.prefix_caching) return;
  const double asked_for = static_cast<double>(sum.context_tokens);
  metrics.emplace_back("prefix_hit_share." + asked.name,
                       asked_for > 0.0
                           ? std::optional(static_cast<double>(sum.cached_tokens) / asked_for)
                           : std::nullopt);
}

}  // namespace specroute::sim
