#include "sim/experiment/published_metrics.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "sim/faults/override_plan.hpp"
#include "sim/routing/control.hpp"
#include "sim/scenario/pairable.hpp"
#include "sim/world/class_record.hpp"
#include "sim/world/fleet_meters.hpp"
#include "sim/world/incident_record.hpp"
#include "sim/world/pairing_ledger.hpp"
#include "sim/world/totals.hpp"
#include "sim/world/traffic_totals.hpp"
#include "sim/world/transfer_book.hpp"
#include "sim/world/try_state.hpp"
#include "sim/world/upkeep.hpp"

namespace specroute::sim {
namespace {

using Name = std::pair<std::string_view, std::string_view>;

/// What a run calls it, and what a summary calls it.
constexpr std::array kRenamed = {
    Name{"requests.completed", "completions"},
    Name{"degraded.total", "degraded_completions"},
    Name{"degraded.loop", "loop_completions"},
    Name{"degraded.schema", "schema_violations"},
    Name{"degraded.corruption", "corrupted_completions"},
    Name{"goodput_per_s", "goodput_rps"},
    Name{"healthy_goodput_per_s", "healthy_goodput_rps"},
    Name{"latency.ttft.p50_ms", "ttft_p50_ms"},
    Name{"latency.ttft.p95_ms", "ttft_p95_ms"},
    Name{"latency.ttft.p99_ms", "ttft_p99_ms"},
    Name{"latency.tpot.p50_ms", "tpot_p50_ms"},
    Name{"latency.tpot.p95_ms", "tpot_p95_ms"},
    Name{"latency.tpot.p99_ms", "tpot_p99_ms"},
    Name{"latency.itl.p50_ms", "itl_p50_ms"},
    Name{"latency.itl.p95_ms", "itl_p95_ms"},
    Name{"latency.itl.p99_ms", "itl_p99_ms"},
    Name{"latency.end_to_end.p50_ms", "e2e_p50_ms"},
    Name{"latency.end_to_end.p95_ms", "e2e_p95_ms"},
    Name{"latency.end_to_end.p99_ms", "e2e_p99_ms"},
    Name{"acceptance.before", "acceptance_before"},
    Name{"acceptance.after_failover", "acceptance_after_failover"},
    Name{"acceptance.after_rebind", "acceptance_after_rebind"},
    Name{"latency.before.p50_ms", "e2e_p50_before_ms"},
    Name{"latency.after_failover.p50_ms", "e2e_p50_after_failover_ms"},
    Name{"latency.change", "e2e_p50_change"},
    Name{"decisions.rebinds", "rebinds"},
    Name{"lock.first_harmful_s", "locked_on_bad_pairing_s"},
    Name{"excess.degraded", "excess_degraded_completions"},
    Name{"excess.loop", "excess_loop_completions"},
    Name{"excess.schema", "excess_schema_violations"},
    Name{"excess.corruption", "excess_corrupted_completions"},
};

/// What the healthy run's count is taken off from, and the path of the difference.
constexpr std::array kExcess = {
    Name{"degraded.total", "excess.degraded"},
    Name{"degraded.loop", "excess.loop"},
    Name{"degraded.schema", "excess.schema"},
    Name{"degraded.corruption", "excess.corruption"},
};

constexpr std::string_view kByAnything = "degraded.by_";
constexpr std::string_view kByPairing = "degraded.by_pairing.";
constexpr std::string_view kByOverride = "degraded.by_override.";
constexpr std::string_view kAnd = " and ";
constexpr std::string_view kByCause = "degraded.by_cause.";
constexpr std::string_view kByDecision = "degraded.by_decision.";
constexpr std::string_view kUtilisation = "utilisation.";
constexpr std::string_view kKvPeak = "kv_peak.";
constexpr std::string_view kKvMean = "kv_mean.";
constexpr std::string_view kArithmetic = "tflop_per_s.";
constexpr std::string_view kFlopUtilisation = "flop_utilisation.";
constexpr std::string_view kLoopsEnded = "loops_ended.";
constexpr std::string_view kPreemptions = "preemptions.";
constexpr std::string_view kRecomputed = "recomputed_tokens.";
constexpr std::string_view kPrefixHits = "prefix_hit_share.";
constexpr std::string_view kOfClass = "class.";
constexpr std::array kPrefixes = {kUtilisation,     kKvPeak,     kKvMean,      kArithmetic,
                                  kFlopUtilisation, kLoopsEnded, kPreemptions, kRecomputed,
                                  kPrefixHits,      kOfClass};

/// Any of the causes that may change a backend of this role together, as `EnginePlan::causes` says
/// them: in the order of their names.
std::set<std::string> causes_together(const Scenario& scenario, Role role) {
  std::set<std::string> causes;
  for (const EngineChange& change : scenario.engine_changes)
    if (scenario.backends[change.backend.index()].role == role) causes.insert(change.cause);
  std::set<std::string> names;
  for (const std::string& cause : causes) {
    std::set<std::string> longer{cause};
    for (const std::string& name : names)
      longer.insert(std::string(name).append(kAnd).append(cause));
    names.merge(longer);
  }
  return names;
}

std::set<std::string> owners_of(const Override& one, bool copied) {
  std::set<std::string> owners = {one.owner};
  if (copied) owners.insert(one.owner + std::string(kCopied));
  return owners;
}

/// What may be named as having changed a backend of this role: an override's owner, or that of its
/// copy on a standby target, causes of changes to the engine, or both (as `ConditionPlan::owners`
/// says it).
std::set<std::string> changers(const Scenario& scenario, Role role) {
  const bool copied = role == Role::target &&
                      scenario.router.standby_parameters == StandbyParameters::copied_from_primary;
  const std::set<std::string> names = causes_together(scenario, role);
  std::set<std::string> with_owners = names;
  for (const Override& one : scenario.overrides) {
    if (scenario.backends[one.backend.index()].role != role) continue;
    for (const std::string& owner : owners_of(one, copied)) {
      with_owners.insert(owner);
      for (const std::string& causes : names)
        with_owners.insert(std::string(owner).append(kAnd).append(causes));
    }
  }
  return with_owners;
}

/// Whether `text` says who changed the target and then who changed the draft.
bool says_both(std::string_view text, const std::set<std::string>& of_targets,
               const std::set<std::string>& of_drafts) {
  for (auto at = text.find(kAnd); at != text.npos; at = text.find(kAnd, at + 1))
    if (of_targets.contains(std::string(text.substr(0, at))) &&
        of_drafts.contains(std::string(text.substr(at + kAnd.size()))))
      return true;
  return false;
}

/// Whoever may be blamed: nobody, who changed one side, and of those who changed either, which
/// would be too many to list, whom an expectation names.
std::set<std::string> override_owners(const Scenario& scenario) {
  const std::set<std::string> of_targets = changers(scenario, Role::target);
  const std::set<std::string> of_drafts = changers(scenario, Role::draft);
  std::set<std::string> owners = {"none"};
  owners.insert(of_targets.begin(), of_targets.end());
  owners.insert(of_drafts.begin(), of_drafts.end());
  for (const Expectation& one : scenario.expect) {
    if (!one.metric.starts_with(kByOverride)) continue;
    const std::string named = one.metric.substr(kByOverride.size());
    if (says_both(named, of_targets, of_drafts)) owners.insert(named);
  }
  return owners;
}

/// The metrics of one backend and of the pairings that it may verify in.
void add_backend(std::vector<std::string>& names, const Scenario& scenario,
                 const Backend& backend) {
  const auto add = [&](std::string_view prefix, const std::string& name) {
    names.push_back(std::string(prefix) + name);
  };
  add(kUtilisation, backend.name);
  add(kArithmetic, backend.name);
  add(kFlopUtilisation, backend.name);
  if (backend.role != Role::target) return;
  add(kKvPeak, backend.name);
  add(kKvMean, backend.name);
  if (backend.repetition_detection) add(kLoopsEnded, backend.name);
  if (backend.options.admission == Admission::on_demand) {
    add(kPreemptions, backend.name);
    add(kRecomputed, backend.name);
  }
  if (backend.options.prefix_caching) add(kPrefixHits, backend.name);
  add(kByPairing, backend.name + "+alone");
  for (const Backend& draft : scenario.backends)
    if (draft.role == Role::draft && draws_on(scenario, backend.pool, draft.pool))
      add(kByPairing, backend.name + '+' + draft.name);
}

}  // namespace

std::string published_name(std::string_view path) {
  const auto* const entry =
      std::ranges::find_if(kRenamed, [&](const Name& name) { return name.first == path; });
  return std::string(entry == kRenamed.end() ? path : entry->second);
}

std::optional<double> metric_value(const Metrics& metrics, std::string_view name) {
  const auto entry =
      std::ranges::find_if(metrics, [&](const auto& metric) { return metric.first == name; });
  return entry == metrics.end() ? std::nullopt : entry->second;
}

Metrics published_metrics(const Metrics& run, const Metrics& healthy) {
  Metrics result;
  result.reserve(run.size() + kExcess.size());
  for (const auto& [path, value] : run) result.emplace_back(published_name(path), value);
  for (const auto& [counted, excess] : kExcess) {
    const auto sick = metric_value(run, counted);
    const auto well = metric_value(healthy, counted);
    result.emplace_back(published_name(excess),
                        sick && well ? std::optional(*sick - *well) : std::nullopt);
  }
  return result;
}

std::vector<std::string> fixed_metric_names() {
  // Recorders that saw nothing report all the names they have.
  const Scenario nothing{};
  Metrics empty;
  Totals(nothing).report(empty);
  IncidentRecord(std::nullopt, BackendId{}).report(empty);
  empty.emplace_back("lock.first_harmful_s", std::nullopt);  // the world's own
  PairingLedger().report(empty, Seconds{0.0});
  report_fleet(empty, {}, Seconds{0.0});
  report_upkeep(empty, nothing, {}, Seconds{0.0}, 0);
  TransferBook().report(empty, kWeightLoads);
  TransferBook().report(empty, kDraftFlows);
  std::vector<std::string> names;
  for (const auto& [name, value] : published_metrics(empty, empty)) names.push_back(name);
  return names;
}

std::vector<std::string> metric_names(const Scenario& scenario) {
  std::vector<std::string> names = fixed_metric_names();
  const auto add = [&](std::string_view prefix, const std::string& name) {
    names.push_back(std::string(prefix) + name);
  };
  Metrics of_classes;
  for (const RequestClass& request_class : scenario.classes)
    report_class(of_classes, request_class.name, ClassRecord{}, scenario.horizon);
  for (const auto& [name, value] : of_classes) names.push_back(name);
  for (const Backend& backend : scenario.backends) add_backend(names, scenario, backend);
  if (counts_tries(scenario))
    names.insert(names.end(), std::begin(kTryMetrics), std::end(kTryMetrics));
  for (std::string& name : traffic_metric_names(scenario)) names.push_back(std::move(name));
  for (const auto cause :
       {DegradationCause::loop, DegradationCause::schema, DegradationCause::corruption})
    add(kByCause, to_string(cause));
  for (const std::string& owners : override_owners(scenario)) add(kByOverride, owners);
  for (const char* const type : {"HOLD", "LOCK", "REBIND", "NO_DRAFT", "QUARANTINE"})
    add(kByDecision, type);
  for (const BindCause cause : kBindCauses)
    add(kByDecision, std::string("BIND.") + to_string(cause));
  return names;
}

std::vector<std::string> replaced_metric_paths() {
  std::vector<std::string> paths;
  for (const auto& [path, name] : kRenamed) paths.emplace_back(path);
  return paths;
}

bool depends_on_scenario(std::string_view name) {
  return counts_by_blame(name) || names_traffic(name) ||
         std::ranges::any_of(kPrefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool counts_by_blame(std::string_view name) {
  return name.starts_with(kByAnything);
}

}  // namespace specroute::sim
