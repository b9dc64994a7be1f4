#include "sim/world/world.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <specroute/vocab/check.hpp>

#include "sim/routing/fingerprint.hpp"

namespace specroute::sim {
namespace {

/// Whether users of the target are cut off from it.
bool takes_away(const HostEvent& fault, BackendId target) {
  const bool path = fault.kind == HostEvent::Kind::cut;
  if (path)
    return (fault.from == target && !fault.to.exists()) ||
           (fault.to == target && !fault.from.exists());
  return (fault.kind == HostEvent::Kind::down || fault.kind == HostEvent::Kind::hang) &&
         fault.backend == target;
}

/// Serving targets whose crash, hang or partition starts the incident: the first in the plan that
/// is bound at the start.
struct FirstFault {
  std::optional<Seconds> date;
  BackendId target;
};
FirstFault first_fault(const Scenario& scenario, const std::vector<HostEvent>& plan) {
  for (const HostEvent& fault : plan)
    for (const InitialPairing& pairing : scenario.pairings)
      if (takes_away(fault, pairing.target)) return {fault.date, pairing.target};
  return {};
}

bool has_priorities(const Scenario& scenario) {
  return std::ranges::any_of(scenario.classes,
                             [](const RequestClass& c) { return c.priority != 0; });
}

std::vector<ProfileId> profiles_of_kinds(const Prepared& prepared) {
  std::vector<ProfileId> result;
  for (const TrafficKind& kind : prepared.kinds)
    result.push_back(prepared.scenario->classes[kind.request_class.index()].profile);
  return result;
}

std::size_t targets_of(const Scenario& scenario) {
  return static_cast<std::size_t>(
      std::ranges::count(scenario.backends, Role::target, &Backend::role));
}

/// Every target serves all the time, as a rule.
std::size_t rows_of_series(const Scenario& scenario, std::uint64_t period_s) {
  return static_cast<std::size_t>(scenario.horizon.count() / static_cast<double>(period_s)) *
         targets_of(scenario);
}

/// Of an engine that may have a detector, in a scenario whose loops have one period.
LoopWatch loop_watch(const Scenario& scenario, const Backend& backend) {
  LoopWatch watch{.period = scenario.degradation.loop_period_tokens};
  if (!backend.repetition_detection) return watch;
  const RepetitionDetection& detection = *backend.repetition_detection;
  const models::PatternDetector detector{.min_pattern = detection.min_pattern_tokens,
                                         .max_pattern = detection.max_pattern_tokens,
                                         .min_count = detection.min_count};
  watch.tokens = models::tokens_to_detection(detector, watch.period).value_or(0);
  return watch;
}

}  // namespace

PlatformPlan platform_plan(const Scenario& scenario) {
  const Network& network = scenario.network;
  const bool tree = network.topology == Topology::fat_tree;
  PlatformPlan plan;
  plan.hosts.push_back({"router", network.nic, network.nic_latency, {}, tree ? "router" : ""});
  for (const Backend& backend : scenario.backends)
    plan.hosts.push_back({"backend:" + backend.name, network.nic, network.nic_latency,
                          backend.hosting.node, tree ? "rack:" + backend.rack : ""});
  if (network.storage)
    plan.hosts.push_back({"storage", *network.storage, Seconds{0.0}, {}, tree ? "storage" : ""});
  if (tree) plan.tree = TreePlan{network.uplinks_per_rack, network.nic};
  if (network.spine) plan.backbone = BackbonePlan{*network.spine, Seconds{0.0}, true};
  return plan;
}

World::World(const Prepared& prepared, Platform& platform, PolicyHost& policy,
             const RunOptions& options)
    : prepared_(prepared),
      scenario_(*prepared.scenario),
      platform_(platform),
      policy_(policy),
      options_(options),
      faults_(plan_run(scenario_, models::Seed{options.seed})),
      stalls_(std::ranges::any_of(faults_,
                                  [](const HostEvent& fault) {
                                    return fault.kind == HostEvent::Kind::hang ||
                                           fault.kind == HostEvent::Kind::cut;
                                  })),
      lane_(platform, {.mode = options.mode}),
      flows_(platform, [this](FlowTag tag, FlowEnd end) { on_flow_end(tag, end); }),
      tables_(prepared.tables),
      conditions_(prepared.conditions),
      graph_(scenario_),
      dispatcher_(scenario_, models::Seed{options.seed}),
      control_(scenario_, graph_, dispatcher_, policy),
      prober_(scenario_.backends.size(), scenario_.router.unhealthy_threshold,
              scenario_.router.healthy_threshold),
      retry_(scenario_.router.retry_layers),
      breakers_(scenario_),
      feed_(scenario_, models::Seed{options.seed}),
      has_priorities_(has_priorities(scenario_)),
      profile_of_kind_(profiles_of_kinds(prepared)),
      rules_of_profiles_(rules_of_profiles(scenario_)),
      sharing_(scenario_, prepared.group_prefixes, models::Seed{options.seed}),
      window_latencies_(scenario_.backends.size() * scenario_.profiles.size()),
      totals_(scenario_),
      tenants_(scenario_),
      incident_(first_fault(scenario_, faults_).date, first_fault(scenario_, faults_).target),
      series_period_s_(series_period_s(scenario_.horizon, targets_of(scenario_))),
      series_(scenario_.backends.size(), rows_of_series(scenario_, series_period_s_)) {
  const models::Seed seed{options.seed};
  request_kind_key_ = seed.key("request kind");
  error_key_ = seed.key("error answers");
  jitter_key_ = seed.key("retry jitter");
  wrong_key_ = seed.key("wrong tokens");
  scrape_key_ = seed.key("telemetry loss");
  for (std::uint32_t b = 0; b < scenario_.backends.size(); ++b) add_backend(BackendId{b}, seed);
  for (std::uint32_t c = 0; c < scenario_.classes.size(); ++c) add_class(ClassId{c}, seed);
}

void World::add_backend(BackendId id, const models::Seed& seed) {
  const Backend& backend = scenario_.backends[id.index()];
  const PreparedBackend& ready = prepared_.backends[id.index()];
  BackendState state;
  state.first_engine = static_cast<std::uint32_t>(engines_.size());
  state.to_router = platform_.message_time(HostIndex{id.value + 1}, HostIndex{0}, Bytes{0.0});
  for (std::uint32_t e = 0; e < backend.engines; ++e) {
    if (backend.role == Role::draft) {
      state.drafts.emplace_back(ready.step);
      continue;
    }
    engines_.push_back({id, e});
    state.engines.emplace_back(TargetEngineSettings{
        .step = ready.step,
        .index = e,
        .half_batches = scenario_.pools[backend.pool.index()].speculation.half_batches,
        .max_sequences = backend.max_sequences,
        .prefill_chunk_tokens = backend.prefill_chunk_tokens,
        .kv_blocks = ready.kv_blocks,
        .kv_block_tokens = backend.kv_block_tokens,
        .decode_key = seed.key("decode"),
        .loop_watch = loop_watch(scenario_, backend),
        .rows = tables_.layout(),
        .draft_timeout = scenario_.pools[backend.pool.index()].speculation.draft_timeout,
        .undisturbed = faults_.empty() && !retry_.has_layers(),
        .admission = backend.options.admission,
        .max_batched_tokens = backend.options.max_batched_tokens,
        .schedule = scenario_.pools[backend.pool.index()].speculation.schedule,
        .prefixes = backend.options.prefix_caching ? &prepared_.prefixes : nullptr});
  }
  backends_.push_back(std::move(state));
  refresh_live(id);
}

void World::add_class(ClassId id, const models::Seed& seed) {
  arrivals_.emplace_back(scenario_, id, prepared_.traffic[id.index()], seed);
  for (std::uint32_t user = 0; user < arrivals_.back().users(); ++user)
    users_.push_back({id, user});
  std::vector<std::uint32_t>& kinds = kinds_of_class_.emplace_back();
  for (std::uint32_t k = 0; k < prepared_.kinds.size(); ++k)
    if (prepared_.kinds[k].request_class == id) kinds.push_back(k);
}

void World::schedule_start() {
  std::vector<VerificationAnswer> answers;
  for (const InitialPairing& pairing : scenario_.pairings)
    answers.push_back(ask(pairing.target, pairing.draft));
  control_.start(answers, Seconds{0.0});
  carry_out_control();
  for (std::uint32_t c = 0; c < arrivals_.size(); ++c) schedule_arrival(ClassId{c});
  for (std::uint32_t user = 0; user < users_.size(); ++user) {
    const Seconds date =
        arrivals_[users_[user].request_class.index()].first_asks(users_[user].index);
    if (date < scenario_.horizon) lane_.at(date, event::kUserAsks, user);
  }
  const auto backends = static_cast<std::uint32_t>(backends_.size());
  for (std::uint32_t b = 0; b < backends; ++b) {  // nobody keeps the probers in step
    const double phase = models::Seed{options_.seed}.stream("probes", b).uniform();
    lane_.at(scenario_.router.probe_period * phase, event::kProbe, b);
  }
  lane_.at(scenario_.router.telemetry_period, event::kTelemetryCut, 0);
  lane_.at(scenario_.router.reselect_period, event::kReselect, 0);
  lane_.at(Seconds{1.0}, event::kSecond, 0);
  for (const auto& change : prepared_.conditions.changes())
    lane_.at(change.date, event::kConditionChange, change.backend.value);
  for (const auto& reset : prepared_.telemetry.resets())
    lane_.at(reset.date, event::kCounterReset, reset.backend.value);
  for (std::uint32_t f = 0; f < faults_.size(); ++f)
    lane_.at(faults_[f].date, event::kHostEvent, f);
  if (breakers_.sweeps()) lane_.at(scenario_.router.breaker->sweep, event::kBreakerSweep, 0);
  if (const auto period = scenario_.router.health_report)
    lane_.at(*period, event::kHealthReport, 0);
  if (const auto& sampling = scenario_.router.quality_sampling)
    lane_.at(sampling->report, event::kQualityReport, 0);
  lane_.at(scenario_.horizon, event::kHorizon, 0);
  lane_.at(scenario_.horizon + scenario_.drain_limit, event::kDrainEnds, 0);
}

bool World::is_over() const {
  return lane_.now() >= scenario_.horizon && requests_.in_flight() == 0;
}

void World::end_where_nobody_waits() {
  if (is_over()) lane_.stop_at(lane_.now());
}

/// Periodic events stop once there is nothing left to watch, so that the run can end.
void World::every(Seconds period, EventKind kind, std::uint32_t object) {
  if (is_over()) return;
  // Counted in whole periods, so that the beat does not drift by the rounding of a sum.
  const double beat = std::floor(lane_.now() / period + 0.5);
  const Seconds phase = lane_.now() - beat * period;
  lane_.at(std::max(lane_.now(), (beat + 1.0) * period + phase), kind, object);
}

RunResult World::run() {
  const FirstFault fault = first_fault(scenario_, faults_);
  if (fault.date) {
    lane_.at(std::max(Seconds{0.0}, *fault.date - IncidentRecord::kBefore), event::kMark,
             kMinuteBefore);
    lane_.at(*fault.date, event::kMark, kFaultStrikes);
  }
  schedule_start();
  return finish(lane_.run(*this));
}

void World::on_local(const Event& event) {
  switch (event.kind) {
    case event::kArrival:
      return on_arrival(ClassId{event.object});
    case event::kUserAsks:
      return on_user_asks(event.object);
    case event::kSubmit:
      return on_submit(event.object);
    case event::kDraftsArrive:
      return on_engine(event.object, EngineActions::Due::drafts_arrive);
    case event::kPassEnds:
      return on_engine(event.object, EngineActions::Due::pass_ends);
    case event::kProbe:
      return on_probe(BackendId{event.object});
    case event::kProbeAnswered:
      return on_probe_result(BackendId{event.object}, true);
    case event::kProbeSilent:
      return on_probe_result(BackendId{event.object}, false);
    case event::kTelemetryCut:
      return cut_telemetry();
    case event::kWindowsArrive:
      return on_windows(event.object);
    case event::kCounterReset:
      return on_counter_reset(BackendId{event.object});
    case event::kConditionChange:
      return on_condition_change(BackendId{event.object});
    case event::kSecond:
      return on_second();
    case event::kMark:
      return on_mark(event.object);
    case event::kHorizon:
      return end_where_nobody_waits();
    case event::kDrainEnds:
      return end_all_unfinished();
    case event::kAnswer:
      return on_answer(event.object);
    case event::kRetry:
      return on_retry(event.object);
    case event::kTryTimeout:
      return on_try_timeout(event.object);
    case event::kBreakerWakes:
      return on_breaker_wakes(BackendId{event.object});
    case event::kBreakerSweep:
      return on_breaker_sweep();
    case event::kHealthReport:
      return report_health();
    case event::kQualityReport:
      return report_quality();
    default:
      return on_control_event(event);
  }
}

void World::on_control_event(const Event& event) {
  const Seconds now = lane_.now();
  switch (event.kind) {
    case event::kWarm:
      return on_warm(BackendId{event.object});
    case event::kVerify:
      on_verify(event.object);
      break;
    case event::kRebuilt:
      on_rebuilt(event.object);
      break;
    case event::kRetryBind:
      control_.on_retry(event.object, now);
      break;
    case event::kReadmit:
      control_.on_readmit(PairingId{event.object}, now);
      break;
    case event::kTick:
      control_.on_tick(now);
      break;
    case event::kReselect:
      control_.on_reselect(now);
      every(scenario_.router.reselect_period, event::kReselect, 0);
      break;
    default:
      check(false, "every kind of event has its handler");
  }
  carry_out_control();
}

void World::on_platform(const Event& event) {
  if (event.kind == event::kHostEvent) return on_host_event(faults_[event.object]);
  if (event.kind == event::kLoadWeights) return load_weights(BackendId{event.object});
  if (event.kind == event::kDraftsLeave) return on_drafts_leave(event.object);
  check(event.kind == event::kTransfer, "every kind of event has its handler");
  on_transfer(event.object);
}

/// What must hold whatever happened; a run that broke any of it must not print a number.
void World::check_invariants() const {
  check(totals_.arrived_count() == totals_.ended_count(),
        "every request that arrived ended in exactly one state");
  check(requests_.in_flight() == 0, "no request is in flight at the end");
  check(totals_.in_system().obeys_littles_law(), "requests in the system obey Little's law");
  std::uint64_t emitted = 0;
  for (const BackendState& backend : backends_)
    for (const TargetEngine& engine : backend.engines) {
      emitted += engine.tokens_emitted();
      check(engine.kv().allocated() == 0, "every KV block was given back");
      check(engine.kv_adds_up(), "KV blocks allocated, idle and free are all there are");
      check(engine.line().obeys_littles_law(), "an engine's waiting line obeys Little's law");
      check(engine.room().obeys_littles_law(), "an engine's batch obeys Little's law");
    }
  check(emitted == totals_.tokens() + tries_.wasted_tokens,
        "tokens out equal the sum of lengths and of what was emitted in vain");
}

void World::mix(std::uint64_t word) {
  digest_ = (digest_ ^ word) * 0x100000001b3ULL;
}

RunResult run_replication(const Prepared& prepared, Platform& platform, const Gate& gate,
                          const RunOptions& options) {
  auto policy = PolicyHost::create(*prepared.module, gate.label, gate.config_json);
  check(policy.ok(), "a gate's configuration was validated before any replication");
  PolicyHost host = std::move(policy).value();
  return run_replication(prepared, platform, host, options);
}

RunResult run_replication(const Prepared& prepared, Platform& platform, PolicyHost& policy,
                          const RunOptions& options) {
  World world(prepared, platform, policy, options);
  return world.run();
}

}  // namespace specroute::sim
