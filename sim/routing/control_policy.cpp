// What the policy decides, carried out or declined.
#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "sim/routing/control.hpp"
#include "sim/routing/fingerprint.hpp"

namespace specroute::sim {

void Control::on_window(const WindowReport& window, Seconds now) {
  const PairingRecord& record = pairings_[window.pairing.index()];
  if (record.ended || !record.draft.exists()) return;
  constexpr std::uint32_t kNotUsed = SRP_WIN_STALE | SRP_WIN_COUNTER_RESET;
  if (!record.rejected && (window.flags & kNotUsed) == 0) {
    Measured& measured = measured_[record.target.index()][record.draft.index()];
    measured.accepted += window.accepted;
    measured.drafted += window.drafted;
  }

  srp_ev_window event{};
  event.profile = required_[window.profile.index()];
  event.draft = window.draft;
  event.target = window.target;
  limit_to_configuration(event.draft);
  limit_to_configuration(event.target);
  event.from = to_nanoseconds(window.from);
  event.to = to_nanoseconds(window.to);
  event.steps = window.steps;
  event.drafted = window.drafted;
  event.accepted = window.accepted;
  for (std::uint32_t i = 0; i < window.positions; ++i) event.accepted_at[i] = window.accepted_at[i];
  event.completions = window.completions;
  event.latency_p50_ns = to_nanoseconds(window.latency_p50);
  event.positions = window.positions;
  event.window_flags = window.flags;
  tell(event, SRP_EV_WINDOW, now, abi_id(window.pairing.value));
  carry_out(now);
}

void Control::on_health(BackendId backend, const HealthReport& report, Seconds now) {
  srp_ev_health event{};
  event.backend = abi_id(backend.value);
  event.requests = report.tries;
  event.errors = report.errors;
  event.timeouts = report.timeouts;
  tell(event, SRP_EV_HEALTH, now, 0);
  carry_out(now);
}

void Control::on_quality(PairingId pairing, ProfileId profile, const QualityReport& report,
                         Seconds now) {
  if (pairings_[pairing.index()].ended) return;
  srp_ev_quality event{};
  event.profile = required_[profile.index()].id;
  event.sampled = report.sampled;
  event.looping = report.looping;
  event.schema_invalid = report.schema_invalid;
  tell(event, SRP_EV_QUALITY, now, abi_id(pairing.value));
  carry_out(now);
}

/// Carrying out may tell the policy more, and that may bring more decisions: until none is left.
void Control::carry_out(Seconds now) {
  for (std::size_t i = 0; i < fresh_.size(); ++i) {
    const srp_decision decision = fresh_[i];
    check(decision.h.pairing >= 1 && decision.h.pairing <= pairings_.size(),
          "a policy decides about a pairing that the router has");
    const PairingId pairing{static_cast<std::uint32_t>(decision.h.pairing - 1)};
    decisions_.push_back({now, pairing, decision});
    carry_out(decision, pairing, now);
    check(fresh_.size() < 100'000, "a policy does not decide without end on one event");
  }
  fresh_.clear();
}

void Control::carry_out(const srp_decision& decision, PairingId pairing, Seconds now) {
  if (decision.wake_at != 0 && decision.wake_at != SRP_FOREVER)
    actions_.push_back({.kind = ControlAction::Kind::tick_at,
                        .date = std::max(now, to_seconds(decision.wake_at))});
  if (decision.dry_run != 0) return;
  PairingRecord& record = pairings_[pairing.index()];
  switch (decision.h.type) {
    case SRP_LOCK:
      record.locked_until = to_seconds(decision.valid_until);
      if (!record.ended) dispatcher_.reward(record.target, decision.reward_ppm);
      if (decision.valid_until != SRP_FOREVER)
        actions_.push_back(
            {.kind = ControlAction::Kind::tick_at, .date = std::max(now, record.locked_until)});
      return outcome(decision.id, pairing, SRP_DONE, now);
    case SRP_REBIND:
      return rebind(decision, pairing, now);
    case SRP_NO_DRAFT:
      return serve_alone(decision, pairing, now);
    case SRP_QUARANTINE:
      return quarantine(decision, pairing, now);
    default:  // HOLD: keep serving, without reward
      return release(pairing);
  }
}

/// What a rejected pairing measured, and goes on to measure until it is replaced, is discarded and
/// never ranked; its lock and its reward are gone. @return false where it is on its way out already
bool Control::reject(PairingId pairing) {
  PairingRecord& record = pairings_[pairing.index()];
  if (record.ended || operating(record.target)) return false;
  record.rejected = true;
  record.locked_until = Seconds{0.0};
  dispatcher_.reward(record.target, 0);
  if (record.draft.exists()) measured_[record.target.index()][record.draft.index()] = Measured{};
  return true;
}

void Control::rebind(const srp_decision& decision, PairingId pairing, Seconds now) {
  const PairingRecord record = pairings_[pairing.index()];
  if (!reject(pairing)) return outcome(decision.id, pairing, SRP_SUPERSEDED, now);
  BindOperation operation;
  operation.cause = BindCause::policy;
  operation.replaces = pairing;
  operation.constraint = decision.to;
  operation.decision = decision.id;
  operation.profile = decision.profile;
  operation.verify_parameters = (decision.to.match & SRP_FP_PARAMS) != 0;
  if (decision.to.replace != SRP_REPLACE_TARGET) operation.target = record.target;
  begin(operation, now);
}

void Control::serve_alone(const srp_decision& decision, PairingId pairing, Seconds now) {
  const PairingRecord record = pairings_[pairing.index()];
  if (!reject(pairing)) return outcome(decision.id, pairing, SRP_SUPERSEDED, now);
  BindOperation operation;
  operation.cause = BindCause::policy;
  operation.target = record.target;
  operation.replaces = pairing;
  operation.solo = true;
  operation.solo_until = to_seconds(decision.valid_until);
  operation.decision = decision.id;
  operation.profile = decision.profile;
  begin(operation, now);
}

/// No new request is sent to the pairing; what its target holds it finishes. Declined where nobody
/// else of the pool would be left to serve.
void Control::quarantine(const srp_decision& decision, PairingId pairing, Seconds now) {
  PairingRecord& record = pairings_[pairing.index()];
  if (record.ended || operating(record.target))
    return outcome(decision.id, pairing, SRP_SUPERSEDED, now);
  if (!dispatcher_.has_other_open(record.target))
    return outcome(decision.id, pairing, SRP_DECLINED_NO_CAPACITY, now);
  reject(pairing);
  record.quarantined_until = to_seconds(decision.valid_until);
  dispatcher_.bar(record.target, Dispatcher::Bar::quarantine, true);
  if (decision.valid_until != SRP_FOREVER)
    actions_.push_back(
        {.kind = ControlAction::Kind::tick_at, .date = std::max(now, *record.quarantined_until)});
  outcome(decision.id, pairing, SRP_DONE, now);
}

/// The quarantine is over, if there was one: what the pairing measures from now on counts again.
void Control::release(PairingId pairing) {
  PairingRecord& record = pairings_[pairing.index()];
  if (!record.quarantined_until || record.ended) return;
  record.quarantined_until.reset();
  record.rejected = false;
  dispatcher_.bar(record.target, Dispatcher::Bar::quarantine, false);
  actions_.push_back({.kind = ControlAction::Kind::released, .pairing = pairing});
}

void Control::release_quarantined(Seconds now) {
  for (const PairingId id : serving_) {
    if (!id.exists()) continue;
    const auto& until = pairings_[id.index()].quarantined_until;
    if (until && *until <= now) release(id);
  }
}

void Control::outcome(std::uint64_t decision, PairingId pairing, std::uint32_t result,
                      Seconds now) {
  srp_ev_outcome event{};
  event.decision = decision;
  event.result = result;
  tell(event, SRP_EV_OUTCOME, now, abi_id(pairing.value));
}

}  // namespace specroute::sim
