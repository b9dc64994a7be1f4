// Probes, and what backends sample with and are.
#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "sim/routing/fingerprint.hpp"
#include "sim/world/world.hpp"

namespace specroute::sim {

void World::on_probe(BackendId backend) {
  const BackendState& state = backends_[backend.index()];
  const Seconds round_trip = 2.0 * state.to_router;
  // A liveness probe is answered off the request path: a hung engine's process still does.
  const bool answers =
      scenario_.router.probe_kind == ProbeKind::liveness ? state.alive : state.works();
  if (answers && reaches(BackendId{}, backend) && round_trip <= scenario_.router.probe_timeout)
    lane_.at(lane_.now() + round_trip, event::kProbeAnswered, backend.value);
  else
    lane_.at(lane_.now() + scenario_.router.probe_timeout, event::kProbeSilent, backend.value);
  every(scenario_.router.probe_period, event::kProbe, backend.value);
}

void World::on_probe_result(BackendId backend, bool answered) {
  if (answered && !breakers_.admits(backend)) {
    breakers_.probe_answered(backend);
    follow_breaker(backend);
    pull_waiting(scenario_.backends[backend.index()].pool);
  }
  switch (prober_.on_result(backend, answered, backends_[backend.index()].incarnation)) {
    case Prober::Verdict::unchanged:
      return;
    case Prober::Verdict::went_down:
      incident_.detected_by_probes(backend, lane_.now());
      control_.on_backend_down(backend, lane_.now());
      break;
    case Prober::Verdict::restarted:  // whatever it was bound to, the new process does not know
      incident_.detected_by_probes(backend, lane_.now());
      control_.on_backend_down(backend, lane_.now());
      control_.on_backend_up(backend, backends_[backend.index()].incarnation, lane_.now());
      break;
    case Prober::Verdict::came_up:
      control_.on_backend_up(backend, backends_[backend.index()].incarnation, lane_.now());
      break;
  }
  carry_out_control();
}

void World::refresh_live(BackendId backend) {
  BackendState& state = backends_[backend.index()];
  const Backend live =
      conditions_.engines.live(backend, scenario_.backends[backend.index()], lane_.now());
  state.live.clear();
  for (std::size_t p = 0; p < scenario_.profiles.size(); ++p)
    state.live.push_back(fingerprint(
        *prepared_.module, live,
        {backend, state.incarnation, scenario_.router.tokenizer_identity, live_rule(backend, p)},
        conditions_.overrides.applied(backend, scenario_.profiles[p].sampling, lane_.now()),
        SRP_LIVE));
}

/// The verification rule that a target really has; a draft is asked for nothing else than what the
/// profile wants.
std::uint32_t World::live_rule(BackendId id, std::size_t profile) const {
  const Backend& backend = scenario_.backends[id.index()];
  const std::uint32_t wanted = rules_of_profiles_[profile];
  if (wanted == 0 || backend.role != Role::target) return wanted;
  const Speculation& configured = scenario_.pools[backend.pool.index()].speculation;
  return abi_rule(conditions_.engines.speculation(id, configured, lane_.now()).rule);
}

/// What a backend applies or is has changed: its fingerprints, and the tables of its pairings.
void World::on_condition_change(BackendId backend) {
  refresh_live(backend);
  for (BackendState& state : backends_) {
    if (!state.pairing.exists()) continue;
    LedgerEntry& entry = ledger_[state.pairing];
    if (entry.target != backend && entry.draft != backend) continue;
    retired_tables_.push_back(entry.alone);  // a pass under way may still read them
    entry.alone = tables_.tables(entry.target, BackendId{}, conditions_, lane_.now());
    entry.binding.alone = entry.binding.tables = &entry.alone->tables;
    entry.binding.circumstance =
        attribution_.with_owners(entry.binding.circumstance, owners_behind(state.pairing));
    if (!entry.draft.exists()) continue;
    retired_tables_.push_back(entry.with_draft);
    entry.with_draft = tables_.tables(entry.target, entry.draft, conditions_, lane_.now());
    entry.binding.use(entry.with_draft->tables, entry.with_draft->shorter);
    ledger_.harm_changed(state.pairing, lane_.now());
  }
}

void World::on_mark(std::uint32_t mark) {
  if (mark == kWatchEnds) {
    watch_ended_ = true;
    const BackendId target = incident_.target();
    if (!target.exists()) return;
    const PairingId serving = backends_[target.index()].pairing;
    if (serving.exists()) incident_.watch_ends(serving, ledger_.counts(serving));
    return;
  }
  const PairingId serving = backends_[incident_.target().index()].pairing;
  if (!serving.exists()) return;
  if (mark == kMinuteBefore)
    incident_.minute_before(serving, ledger_.counts(serving));
  else
    incident_.fault_strikes(serving, ledger_.counts(serving));
}

TimeSeries::TargetState World::target_state(const BackendState& backend) {
  TimeSeries::TargetState state;
  double allocated = 0.0;
  double total = 0.0;
  for (const TargetEngine& engine : backend.engines) {
    state.tokens += engine.tokens_emitted();
    state.running += engine.running();
    state.waiting += engine.waiting();
    allocated += static_cast<double>(engine.kv().allocated());
    total += static_cast<double>(engine.kv().total());
  }
  state.kv_occupancy = allocated / total;
  return state;
}

/// Of engines that preempt or share; where blocks are only reserved there is little to go wrong.
void World::check_kv_books() const {
  for (std::size_t b = 0; b < backends_.size(); ++b) {
    const EngineOptions& options = scenario_.backends[b].options;
    if (options.admission == Admission::reserve && !options.prefix_caching) continue;
    for (const TargetEngine& engine : backends_[b].engines)
      check(engine.kv_adds_up(), "KV blocks allocated, idle and free are all there are");
  }
}

void World::on_second() {
  check_kv_books();
  expire_waiting();
  if (stalls_) expire_held();
  if (++seconds_ % series_period_s_ == 0) close_series();
  every(Seconds{1.0}, event::kSecond, 0);
}

void World::close_series() {
  for (const BackendState& state : backends_) {
    if (!state.pairing.exists()) continue;
    const LedgerEntry& entry = ledger_[state.pairing];
    series_.close({.second = lane_.now().count(),
                   .pairing = state.pairing,
                   .target = entry.target,
                   .target_name = scenario_.backends[entry.target.index()].name,
                   .draft_name = entry.draft.exists() ? scenario_.backends[entry.draft.index()].name
                                                      : std::string{},
                   .state = target_state(state)},
                  ledger_.counts(state.pairing));
  }
}

}  // namespace specroute::sim
