// From the engines' counters to windows at the router, and what goes wrong on the way.
#include <algorithm>
#include <cmath>

#include "models/random/philox.hpp"
#include "sim/world/published_ratio.hpp"
#include "sim/world/world.hpp"

namespace specroute::sim {
namespace {

/// Too few tokens so far: the engine has not published what it samples with.
void hide_parameters(WindowReport& window) {
  for (srp_side* side : {&window.draft, &window.target}) {
    side->known &= ~std::uint32_t{SRP_FP_PARAMS};
    side->params_v1 = side->params_v2 = 0;
  }
}

}  // namespace

/// Every living backend closes its windows; they reach the router after the transport.
void World::cut_telemetry() {
  const Seconds arrival = lane_.now() + scenario_.router.telemetry_transport;
  cut_.clear();
  for (std::uint32_t b = 0; b < backends_.size(); ++b) {
    const BackendState& state = backends_[b];
    const BackendId target{b};
    if (!state.serves() || !state.works() || links_.is_cut(target, BackendId{})) continue;
    if (scrape_fails(target)) continue;
    const Seconds extra = prepared_.telemetry.extra_delay(target, lane_.now());
    std::vector<WindowReport> late;
    cut_pairing(state.pairing, extra > Seconds{0.0} ? late : cut_);
    send(late, arrival + extra);
  }
  send(cut_, arrival);
  every(scenario_.router.telemetry_period, event::kTelemetryCut, 0);
}

/// Counters go on: the next scrape reads what this one would have. Drawn by target and beat, so
/// that the same scrapes fail whichever of them a gate's targets lived to answer.
bool World::scrape_fails(BackendId target) const {
  const double loss = prepared_.telemetry.loss(target, lane_.now());
  if (loss == 0.0) return false;
  const auto beat =
      static_cast<std::uint64_t>(std::floor(lane_.now() / scenario_.router.telemetry_period + 0.5));
  return models::uniform_of(scrape_key_, beat, target.value) < loss;
}

void World::send(std::vector<WindowReport>& bundle, Seconds date) {
  if (bundle.empty()) return;
  if (free_bundles_.empty()) {
    free_bundles_.push_back(static_cast<std::uint32_t>(bundles_.size()));
    bundles_.emplace_back();
  }
  const std::uint32_t index = free_bundles_.back();
  free_bundles_.pop_back();
  bundles_[index].swap(bundle);  // the storage goes round, and is not made anew
  lane_.at(date, event::kWindowsArrive, index);
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
      window.whole += accepted == draft_tokens ? steps : 0;
      for (std::uint32_t k = 0; k < accepted; ++k) window.accepted_at[k] += steps;
    }
    window.drafted -= counts[row].not_drafted - reported[row].not_drafted;
  }
  reported = counts;
}

/// What was counted since the last cut, by profile, into `windows_of_cut_`; of one engine alone
/// where no other is read.
void World::read_increments(LedgerEntry& entry) {
  Binding& binding = entry.binding;
  std::vector<WindowReport>& windows = windows_of_cut_;
  windows.assign(scenario_.profiles.size(), {});
  read_counters(binding.counts, entry.reported, binding.draft_tokens, windows);
  for (ShorterDrafts& shorter : binding.shorter)
    read_counters(shorter.counts, shorter.reported, shorter.draft_tokens, windows);
  if (binding.sampled.empty()) return;
  std::vector<WindowReport> one(windows.size());
  read_counters(binding.sampled, entry.reported_sampled, binding.draft_tokens, one);
  if (prepared_.telemetry.only_engine(entry.target, lane_.now())) windows = one;
}

/// One window per profile that the pairing served since the last cut.
void World::cut_pairing(PairingId id, std::vector<WindowReport>& bundle) {
  LedgerEntry& entry = ledger_[id];
  read_increments(entry);
  std::vector<WindowReport>& windows = windows_of_cut_;
  const Seconds from = entry.last_cut;  // whyever there was none since
  const auto denominator = prepared_.telemetry.denominator(entry.target, lane_.now());
  for (std::uint32_t p = 0; p < windows.size(); ++p) {
    WindowReport& window = windows[p];
    take_latencies(window, entry.target, ProfileId{p});
    if (window.drafted == 0) continue;
    window.pairing = id;
    window.profile = ProfileId{p};
    window.from = from;
    window.to = lane_.now();
    window.positions = entry.binding.draft_tokens;
    window.draft = backends_[entry.draft.index()].live[p];
    window.target = backends_[entry.target.index()].live[p];
    if (entry.counters_fell[p]) window.flags |= SRP_WIN_COUNTER_RESET;
    entry.counters_fell[p] = false;
    entry.drafted_reported += window.drafted;
    if (entry.drafted_reported < scenario_.router.live_after_drafted) hide_parameters(window);
    if (denominator) publish_ratio(window, *denominator);
    bundle.push_back(window);
  }
  entry.last_cut = lane_.now();
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

/// What was counted since the last cut is gone; the router sees that the counters fell.
void World::on_counter_reset(BackendId target) {
  const PairingId serving = backends_[target.index()].pairing;
  if (!serving.exists()) return;
  LedgerEntry& entry = ledger_[serving];
  entry.reported = entry.binding.counts;
  for (ShorterDrafts& shorter : entry.binding.shorter) shorter.reported = shorter.counts;
  entry.reported_sampled = entry.binding.sampled;
  entry.counters_fell.assign(scenario_.profiles.size(), true);
}

void World::on_windows(std::uint32_t index) {
  const auto limit = scenario_.router.telemetry_stale_after;
  for (WindowReport& window : bundles_[index]) {
    if (limit && lane_.now() - window.to > *limit) window.flags |= SRP_WIN_STALE;
    incident_.window(window.pairing, window.drafted, window.accepted, lane_.now());
    ledger_.window_arrived(window.pairing, lane_.now());
    control_.on_window(window, lane_.now());
    carry_out_control();
  }
  bundles_[index].clear();
  free_bundles_.push_back(index);
}

/// The router's own counts: they need no transport.
void World::report_health() {
  const std::vector<HealthReport> reports = feed_.take_health();
  for (std::uint32_t b = 0; b < reports.size(); ++b) {
    if (reports[b].tries == 0) continue;
    control_.on_health(BackendId{b}, reports[b], lane_.now());
    carry_out_control();
  }
  every(*scenario_.router.health_report, event::kHealthReport, 0);
}

void World::report_quality() {
  for (const auto& [of, report] : feed_.take_quality()) {
    control_.on_quality(PairingId{of.first}, ProfileId{of.second}, report, lane_.now());
    carry_out_control();
  }
  every(scenario_.router.quality_sampling->report, event::kQualityReport, 0);
}

}  // namespace specroute::sim
