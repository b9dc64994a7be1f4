// Probes, overrides, telemetry.
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
  if (answered) {
    breakers_.probe_answered(backend);
    follow_breaker(backend);
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
  state.live.clear();
  for (const SamplingProfile& profile : scenario_.profiles)
    state.live.push_back(fingerprint(
        *prepared_.module, scenario_.backends[backend.index()], {backend, state.incarnation},
        overrides_.applied(backend, profile.sampling, lane_.now()), SRP_LIVE));
}

/// What a backend applies has changed: its fingerprints, and the tables of pairings it is in.
void World::on_override_change(BackendId backend) {
  refresh_live(backend);
  for (BackendState& state : backends_) {
    if (!state.pairing.exists()) continue;
    LedgerEntry& entry = ledger_[state.pairing];
    if (entry.target != backend && entry.draft != backend) continue;
    retired_tables_.push_back(entry.alone);  // a pass under way may still read them
    entry.alone = tables_.tables(entry.target, BackendId{}, overrides_, lane_.now());
    entry.binding.alone = entry.binding.tables = &entry.alone->tables;
    entry.binding.circumstance =
        attribution_.with_owners(entry.binding.circumstance, owners_behind(state.pairing));
    if (!entry.draft.exists()) continue;
    retired_tables_.push_back(entry.with_draft);
    entry.with_draft = tables_.tables(entry.target, entry.draft, overrides_, lane_.now());
    entry.binding.use(entry.with_draft->tables, entry.with_draft->shorter);
    ledger_.harm_changed(state.pairing, lane_.now());
  }
}

/// Every living backend closes its windows; they reach the router after the transport.
void World::cut_telemetry() {
  std::vector<WindowReport>& bundle = cut_;
  bundle.clear();
  for (std::uint32_t b = 0; b < backends_.size(); ++b)
    if (backends_[b].serves() && backends_[b].works() && !links_.is_cut(BackendId{b}, BackendId{}))
      cut_pairing(backends_[b].pairing, bundle);
  if (!bundle.empty()) {
    if (free_bundles_.empty()) {
      free_bundles_.push_back(static_cast<std::uint32_t>(bundles_.size()));
      bundles_.emplace_back();
    }
    const std::uint32_t index = free_bundles_.back();
    free_bundles_.pop_back();
    bundles_[index].swap(bundle);  // the storage goes round, and is not made anew
    lane_.at(lane_.now() + scenario_.router.telemetry_transport, event::kWindowsArrive, index);
  }
  every(scenario_.router.telemetry_period, event::kTelemetryCut, 0);
}

/// Adds what was counted since `reported` to the windows of the rows' profiles.
void World::read_counters(const std::vector<RowCounts>& counts, std::vector<RowCounts>& reported,
                          std::uint32_t draft_tokens, std::vector<WindowReport>& windows) const {
  for (std::size_t row = 0; row < counts.size(); ++row) {
    const ProfileId profile =
        profile_of_kind_[tables_.layout().kind_of(static_cast<TrafficRow>(row))];
    WindowReport& window = windows[profile.index()];
    for (std::uint32_t accepted = 0; accepted <= draft_tokens; ++accepted) {
      const std::uint64_t steps =
          counts[row].steps_accepting[accepted] - reported[row].steps_accepting[accepted];
      window.steps += steps;
      window.drafted += steps * draft_tokens;
      window.accepted += accepted * steps;
      for (std::uint32_t k = 0; k < accepted; ++k) window.accepted_at[k] += steps;
    }
    window.drafted -= counts[row].not_drafted - reported[row].not_drafted;
  }
  reported = counts;
}

/// One window per profile that the pairing served since the last cut.
void World::cut_pairing(PairingId id, std::vector<WindowReport>& bundle) {
  LedgerEntry& entry = ledger_[id];
  Binding& binding = entry.binding;
  std::vector<WindowReport>& windows = windows_of_cut_;
  windows.assign(scenario_.profiles.size(), {});
  read_counters(binding.counts, entry.reported, binding.draft_tokens, windows);
  for (ShorterDrafts& shorter : binding.shorter)
    read_counters(shorter.counts, shorter.reported, shorter.draft_tokens, windows);
  const Seconds from = std::max(entry.bound, lane_.now() - scenario_.router.telemetry_period);
  for (std::uint32_t p = 0; p < windows.size(); ++p) {
    WindowReport& window = windows[p];
    take_latencies(window, entry.target, ProfileId{p});
    if (window.drafted == 0) continue;
    window.pairing = id;
    window.profile = ProfileId{p};
    window.from = from;
    window.to = lane_.now();
    window.positions = binding.draft_tokens;
    window.draft = backends_[entry.draft.index()].live[p];
    window.target = backends_[entry.target.index()].live[p];
    entry.drafted_reported += window.drafted;
    if (entry.drafted_reported < scenario_.router.live_after_drafted) hide_parameters(window);
    bundle.push_back(window);
  }
}

/// Too few tokens so far: the engine has not published what it samples with.
void World::hide_parameters(WindowReport& window) {
  for (srp_side* side : {&window.draft, &window.target}) {
    side->known &= ~std::uint32_t{SRP_FP_PARAMS};
    side->params_v1 = side->params_v2 = 0;
  }
}

void World::take_latencies(WindowReport& window, BackendId target, ProfileId profile) {
  auto& latencies = window_latencies_[target.index() * scenario_.profiles.size() + profile.index()];
  window.completions = latencies.size();
  if (latencies.empty()) return;
  const auto middle = latencies.begin() + static_cast<std::ptrdiff_t>(latencies.size() / 2);
  std::ranges::nth_element(latencies, middle);
  window.latency_p50 = Seconds{*middle};
  latencies.clear();
}

void World::on_windows(std::uint32_t index) {
  for (const WindowReport& window : bundles_[index]) {
    incident_.window(window.pairing, window.drafted, window.accepted, lane_.now());
    ledger_.window_arrived(window.pairing, lane_.now());
    control_.on_window(window, lane_.now());
    carry_out_control();
  }
  bundles_[index].clear();
  free_bundles_.push_back(index);
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
