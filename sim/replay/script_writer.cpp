#include "sim/replay/script_writer.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {
namespace {

constexpr std::uint64_t kBeyondWindowCounts = std::uint64_t{1} << 40U;  // the ABI's bound

template <class Event>
EventRecord record_of(const Event& event) {
  EventRecord record;
  static_assert(sizeof(Event) % sizeof(std::uint64_t) == 0);
  record.storage.resize(sizeof(Event) / sizeof(std::uint64_t));
  std::memcpy(record.storage.data(), &event, sizeof(Event));
  return record;
}

}  // namespace

ScriptWriter::ScriptWriter(const Mapping& mapping, const Telemetry& telemetry,
                           std::vector<Service> services)
    : mapping_(mapping), telemetry_(telemetry), services_(std::move(services)) {
  name_all();
}

template <class Event>
void ScriptWriter::add(Event& event, std::uint16_t type, UnixTime at, Rank rank) {
  event.h.size = sizeof(Event);
  event.h.type = type;
  event.h.now = at;
  events_.emplace_back(at, rank, ScriptEvent{record_of(event), std::nullopt});
}

/// A pairing that serves more than once is numbered: "a", "a#2".
void ScriptWriter::name_all() {
  std::map<std::size_t, int> times;
  for (const Service& service : services_) {
    const int time = ++times[service.pairing];
    const std::string& name = mapping_.pairings[service.pairing].name;
    script_.pairing_names[service.id] = time == 1 ? name : name + '#' + std::to_string(time);
  }
  for (const MappedProfile& profile : mapping_.profiles)
    script_.profile_names[profile.profile.id] = profile.name;
}

bool ScriptWriter::claims(const Service& service, const Labels& labels) const {
  return std::ranges::all_of(mapping_.pairings[service.pairing].match, [&](const auto& wanted) {
    const auto label = labels.find(wanted.first);
    return label != labels.end() &&
           std::ranges::find(wanted.second, label->second) != wanted.second.end();
  });
}

bool ScriptWriter::changes_within(std::size_t backend, UnixTime from, UnixTime to) const {
  return std::ranges::any_of(mapping_.sampling_changes, [&](const SamplingChange& change) {
    return change.backend == backend && from < change.at && change.at < to;
  });
}

ScriptWriter::Fit ScriptWriter::fit(const Service& service, const EngineWindow& window) const {
  // A reset is a moment, not a stretch of counts.
  const UnixTime from = window.reset ? window.to : window.from;
  if (window.to < service.begin || from > service.end || service.begin == service.end)
    return Fit::outside;
  const bool touches = window.to == service.begin || from == service.end;
  if (touches && from != window.to) return Fit::outside;
  if (from < service.begin || window.to > service.end) return Fit::straddles;
  const MappedPairing& pairing = mapping_.pairings[service.pairing];
  return changes_within(pairing.draft, from, window.to) ||
                 changes_within(pairing.target, from, window.to)
             ? Fit::straddles
             : Fit::own;
}

bool ScriptWriter::take_windows(std::vector<EngineWindow> windows) {
  return std::ranges::all_of(windows, [this](EngineWindow& window) { return take_window(window); });
}

bool ScriptWriter::take_window(EngineWindow& window) {
  WindowCounts& counts = script_.windows;
  ++counts.windows;
  const Labels& labels = telemetry_.sources[window.source];
  const Service* owner = nullptr;
  bool claimed = false;
  bool straddles = false;
  for (const Service& service : services_) {
    if (!claims(service, labels)) continue;
    claimed = true;
    const Fit how = fit(service, window);
    straddles = straddles || how == Fit::straddles;
    if (how != Fit::own) continue;
    // One moment at the seam of two services is the later's.
    if (owner != nullptr && owner->end != service.begin) {
      fault_ = {.file = {},
                .place = mapping_.pairings[service.pairing].pointer + "/match",
                .expected = "labels that tell its engines from those of \"" +
                            mapping_.pairings[owner->pairing].name + '"',
                .found = labels_text(labels) + " in both at " + format_date(window.to),
                .nearest = {}};
      return false;
    }
    owner = &service;
  }
  if (owner != nullptr) {
    send_window(*owner, window);
  } else if (!claimed) {
    ++counts.unclaimed;
    ++script_.unclaimed[window.source];
  } else {
    ++(straddles ? counts.straddling : counts.outside);
  }
  return true;
}

bool ScriptWriter::from_ratio(const Service& service, EngineWindow& window) {
  WindowCounts& counts = script_.windows;
  const std::uint64_t stated = mapping_.pairings[service.pairing].draft_tokens;
  const std::uint64_t per_step = stated != 0 ? stated : window.tokens_per_step;
  if (per_step == 0) {
    ++counts.no_draft_tokens;
    return false;
  }
  if (window.steps >= kBeyondWindowCounts / per_step || !derive_counts(window, per_step)) {
    ++counts.implausible;
    return false;
  }
  ++script_.denominators[denominator_of(*window.accept_length, window.accept_rate, per_step)];
  return true;
}

/// The event of that pairing and period: made, or added to.
srp_ev_window& ScriptWriter::window_at(const Service& service, const EngineWindow& window,
                                       bool reset) {
  const UnixTime from = reset ? window.to : window.from;
  auto [entry, fresh] = windows_.try_emplace({window.to, service.id, !reset, from});
  Pending& pending = entry->second;
  if (!fresh) return pending.event;
  ++script_.windows.sent;
  const MappedPairing& pairing = mapping_.pairings[service.pairing];
  pending.origin = window.origin;
  srp_ev_window& event = pending.event;
  event.h.pairing = service.id;
  event.profile = mapping_.profiles[pairing.profile].profile;
  event.draft = side_at(pairing.draft, pairing.profile, window.to);
  event.target = side_at(pairing.target, pairing.profile, window.to);
  event.from = from;
  event.to = window.to;
  return event;
}

void ScriptWriter::mark_reset(const Service& service, const EngineWindow& window) {
  ++script_.windows.claimed;
  script_.epochs.push_back({window.to, service.id, window.source});
  window_at(service, window, true).window_flags |= SRP_WIN_COUNTER_RESET;
}

void ScriptWriter::send_window(const Service& service, EngineWindow& window) {
  if (window.reset) return mark_reset(service, window);
  const bool ratio = window.accept_length.has_value();
  if (ratio && !from_ratio(service, window)) return;
  if (window.drafted >= kBeyondWindowCounts || window.steps >= kBeyondWindowCounts) {
    ++script_.windows.implausible;
    return;
  }
  const std::uint64_t sent_before = script_.windows.sent;
  ++script_.windows.claimed;
  srp_ev_window& event = window_at(service, window, false);
  const bool fresh = script_.windows.sent != sent_before;
  event.steps += window.steps;
  event.drafted += window.drafted;
  event.accepted += window.accepted;
  event.completions += window.completions;
  const std::size_t positions = std::min<std::size_t>(window.accepted_at.size(), SRP_MAX_POSITIONS);
  for (std::size_t i = 0; i < positions; ++i) event.accepted_at[i] += window.accepted_at[i];
  event.positions = std::max(event.positions, static_cast<std::uint32_t>(positions));
  if (ratio) event.window_flags |= SRP_WIN_FROM_RATIO;
  if (window.to - window.from > mapping_.max_gap_ns) event.window_flags |= SRP_WIN_STALE;
  if (!fresh) return;
  script_.windows.from_ratio += ratio ? 1 : 0;
  script_.windows.stale += (event.window_flags & SRP_WIN_STALE) != 0 ? 1 : 0;
}

srp_side ScriptWriter::side_at(std::size_t backend, std::size_t profile, UnixTime at) const {
  const MappedBackend* now = &mapping_.backends[backend];
  for (const SamplingChange& change : mapping_.sampling_changes)
    if (change.backend == backend && change.at < at) now = &change.now;
  return side_for(*now, mapping_.profiles[profile].profile);
}

void ScriptWriter::bind(const Service& service) {
  const MappedPairing& pairing = mapping_.pairings[service.pairing];
  srp_ev_bind event{};
  event.h.pairing = service.id;
  event.profile = mapping_.profiles[pairing.profile].profile;
  event.draft = side_at(pairing.draft, pairing.profile, service.begin);
  event.target = side_at(pairing.target, pairing.profile, service.begin);
  event.forward = pairing.forward;
  event.draft_tokens = pairing.draft_tokens;
  add(event, SRP_EV_BIND, service.begin,
      service.after == nullptr ? Rank::beginning : Rank::handover);
}

void ScriptWriter::unbind(const Service& service) {
  srp_ev_unbind event{};
  event.h.pairing = service.id;
  add(event, SRP_EV_UNBIND, service.end, Rank::handover);
}

/// The fail-over itself; the ends and the beginning that belong to it come after.
void ScriptWriter::failover(const Service& service) {
  const Succession& how = *service.after;
  const std::string& from = script_.pairing_names[service.from_service];
  script_.handovers.push_back(
      {how.at, service.id, from, script_.pairing_names[service.id], how.failover});
  if (!how.failover) return;
  srp_ev_failover event{};
  event.h.pairing = service.id;
  event.from_backend = mapping_.backends[mapping_.pairings[how.from].target].side.backend;
  event.to_backend = mapping_.backends[mapping_.pairings[how.to].target].side.backend;
  event.to_incarnation = 1;
  event.from_pairing = service.from_service;
  add(event, SRP_EV_FAILOVER, how.at, Rank::handover);
}

/// One for each profile that the backend serves in any pairing.
void ScriptWriter::sampling(const SamplingChange& change) {
  std::set<std::size_t> profiles;
  for (const MappedPairing& pairing : mapping_.pairings)
    if (pairing.draft == change.backend || pairing.target == change.backend)
      profiles.insert(pairing.profile);
  for (const std::size_t profile : profiles) {
    srp_ev_sampling event{};
    event.profile = mapping_.profiles[profile].profile;
    event.side = side_for(change.now, event.profile);
    event.changed = SRP_FP_PARAMS;
    add(event, SRP_EV_SAMPLING, change.at, Rank::change);
  }
}

void ScriptWriter::candidate(const MappedCandidate& candidate, UnixTime beginning) {
  const UnixTime at = candidate.at.value_or(beginning);
  srp_ev_candidate event{};
  event.side = side_at(candidate.backend, candidate.profile, at);
  event.role = candidate.role;
  event.available = candidate.available ? 1 : 0;
  event.profile = mapping_.profiles[candidate.profile].profile.id;
  add(event, SRP_EV_CANDIDATE, at, candidate.at ? Rank::change : Rank::beginning);
}

Script ScriptWriter::finish() {
  check(!services_.empty(), "a mapping that was read has pairings, and the first one serves");
  const UnixTime beginning = services_.front().begin;
  for (const MappedCandidate& one : mapping_.candidates) candidate(one, beginning);
  for (const Service& service : services_) {
    if (service.after != nullptr) {
      failover(service);
      const auto from = std::ranges::find(services_, service.from_service, &Service::id);
      unbind(*from);
    }
    bind(service);
  }
  for (const Service& service : services_) {
    const bool followed = std::ranges::any_of(services_, [&](const Service& other) {
      return other.after != nullptr && other.from_service == service.id;
    });
    if (!followed && service.end != std::numeric_limits<UnixTime>::max()) unbind(service);
  }
  for (const SamplingChange& change : mapping_.sampling_changes) sampling(change);
  for (auto& [key, pending] : windows_) {
    add(pending.event, SRP_EV_WINDOW, std::get<0>(key), Rank::window);
    std::get<2>(events_.back()).origin = pending.origin;
  }
  std::ranges::stable_sort(events_, [](const auto& a, const auto& b) {
    return std::pair(std::get<0>(a), std::get<1>(a)) < std::pair(std::get<0>(b), std::get<1>(b));
  });
  std::uint64_t sequence = 0;
  for (auto& [at, rank, event] : events_) {
    event.record.head().seq = ++sequence;
    script_.events.push_back(std::move(event));
  }
  return std::move(script_);
}

}  // namespace specroute::sim
