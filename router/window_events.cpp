#include "router/window_events.hpp"

#include <algorithm>

namespace specroute::router {
namespace {

constexpr std::uint64_t kMaxDrafted = std::uint64_t{1} << 40U;

bool plausible(const srp_ev_window& event) {
  return event.accepted <= event.drafted && event.drafted < kMaxDrafted && event.from <= event.to &&
         event.to <= event.h.now && event.positions <= SRP_MAX_POSITIONS;
}

/// A profile that does not state a hash leaves standing what was stated.
void ask(BindRow& row, const srp_profile& profile) {
  if (profile.required_v1 != 0) row.required_v1 = profile.required_v1;
  if (profile.required_v2 != 0) row.required_v2 = profile.required_v2;
}

/// A restarted engine: nothing measured before speaks of it, and the cool-down starts again.
void start_epoch(srp_policy& policy, BindRow& row, std::uint64_t now) {
  const FleetChange change(policy.fleets, row);
  const Gate& gate = *policy.gate;
  row.cool_down_start = now;
  row.drafted_since_bind = 0;
  row.unjudged = Counts{};
  end_attribution(row, now);
  row.grade = Grade::unseen;
  row.tally = gate.carry != nullptr ? gate.carry(row.tally, false) : Tally{};
}

/// The one statistic that is not of acceptance.
void count_latency(BindRow& row, const srp_ev_window& event) {
  if (event.latency_p50_ns == 0 || event.completions == 0) return;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40U;
  auto tally = read_tally<LatencyTally>(row.tally);
  const std::uint64_t completions = std::min(event.completions, kMost / 1024);
  tally.completions += completions;
  tally.sum_us += completions * std::min(event.latency_p50_ns / 1000, kMost / 1024 / 16);
  if (tally.completions >= kMost / 1024) {
    tally.completions /= 2;
    tally.sum_us /= 2;
  }
  row.tally = write_tally(tally);
}

/// Adds the window's counts. @return whether the window's grade is another than the one before
bool count_window(srp_policy& policy, BindRow& row, const srp_ev_window& event) {
  const Grade grade = grade_of(row, policy.config.hash_version);
  const bool turned = grade != row.grade;
  const bool begins = row.attributed_since == 0 && pair_verified(row, policy.config);
  // Acceptance under one set of fingerprints is never smoothed into that under another; nor, in the
  // literal reading, that of a pair off its profile, before it was verified, into that after.
  if (turned || begins) row.unjudged = Counts{};
  row.grade = grade;
  // A window that began before what is attributed does is of both, and counts for neither.
  const bool of_both = begins && event.from < row.unattributed_until;
  if (!of_both) row.unjudged.add(event.drafted, event.accepted);
  row.drafted_since_bind = row.drafted_since_bind > policy.config.min_drafted
                               ? row.drafted_since_bind
                               : row.drafted_since_bind + event.drafted;
  // Not 0, which is "none": a nanosecond later, where the host's clock begins with the bind.
  if (begins)
    row.attributed_since =
        std::max({std::uint64_t{1}, event.from, row.cool_down_start, row.unattributed_until});
  if (!of_both && row.baseline != kNoBaseline && (event.window_flags & SRP_WIN_PARTIAL) == 0)
    policy.baselines.add(row.baseline, {grade, event.to, event.drafted, event.accepted},
                         policy.config.baseline_window_ns);
  return turned;
}

void serve_window(Session& session, BindRow& row, const srp_ev_window& event) {
  srp_policy& policy = session.policy;
  // Drafting ended for good: neither drafts in flight nor fingerprints that agree bring it back.
  if (row.no_draft_until == SRP_FOREVER) return;
  if (quarantined(row, event.h.now)) return;  // counts are of what was in flight
  if (awaits_release(row, event.h.now)) end_quarantine(session, row);
  if (row.no_draft_until != 0) {
    if (row.no_draft_until <= event.h.now) {
      end_no_draft(session, row, Reason::no_draft_expired);
    } else if (pair_verified(row, policy.config)) {
      return end_no_draft(session, row, Reason::verified_consistent);
    } else {
      // Counts are of what was in flight. A pair that waits to be verified and is seen to differ
      // is rejected at once; one that found no candidate waits for its date.
      if (row.said_reason == static_cast<std::uint32_t>(Reason::not_verified))
        judge_row(session, row);
      return;
    }
  }
  if (policy.gate->id == SRP_GATE_LATENCY_TIEBREAK) count_latency(row, event);
  const bool turned = count_window(policy, row, event);
  const std::uint64_t enough = policy.config.min_drafted;
  if (row.drafted_since_bind >= enough && (turned || row.unjudged.drafted >= enough))
    judge_row(session, row);
}

}  // namespace

std::int32_t on_window(Session& session, const srp_ev_window& event) {
  if (!plausible(event)) return SRP_E_ARG;
  BindRow* row = session.policy.binds.find(event.h.pairing, event.profile.id);
  if (row == nullptr || row->ended != 0) return SRP_IGNORED;
  if (event.draft.backend != row->draft.side.backend ||
      event.target.backend != row->target.side.backend)
    return SRP_E_ARG;
  const auto draft = incarnation_of(row->draft, event.draft);
  const auto target = incarnation_of(row->target, event.target);
  const bool stale = (event.window_flags & SRP_WIN_STALE) != 0;
  if (stale || draft == Incarnation::older || target == Incarnation::older) return SRP_IGNORED;
  ask(*row, event.profile);
  row->last_heard = event.h.now;
  // An engine that nobody saw restart did: what it reported before is no more than a claim.
  const bool fell = (event.window_flags & SRP_WIN_COUNTER_RESET) != 0;
  if (fell) row->draft.verified = row->target.verified = 0;
  learn(row->draft, event.draft);
  learn(row->target, event.target);
  if (fell || draft == Incarnation::newer || target == Incarnation::newer) {
    start_epoch(session.policy, *row, event.h.now);
    return SRP_OK;
  }
  if (!pair_verified(*row, session.policy.config)) end_attribution(*row, event.to);
  serve_window(session, *row, event);
  return SRP_OK;
}

namespace {

/// A restart that is told of before its first window is one all the same; a pair that is no longer
/// verified has lost what it had until now, be it back to what it was with the next window.
void take_news(srp_policy& policy, BindRow& row, const srp_ev_sampling& event) {
  for (Fingerprint* known : {&row.draft, &row.target}) {
    if (known->side.backend != event.side.backend) continue;
    const bool restarted = incarnation_of(*known, event.side) == Incarnation::newer;
    learn(*known, event.side);
    if (restarted) start_epoch(policy, row, event.h.now);
  }
  if (pair_verified(row, policy.config)) return;
  if (row.attributed_since != 0) row.unjudged = Counts{};
  end_attribution(row, event.h.now);
}

}  // namespace

std::int32_t on_sampling(Session& session, const srp_ev_sampling& event) {
  srp_policy& policy = session.policy;
  policy.candidates.hear(event);
  for (BindRow& row : policy.binds.rows.all()) {
    if (row.profile != event.profile.id || row.ended != 0) continue;
    take_news(policy, row, event);
  }
  return SRP_OK;
}

std::int32_t on_outcome(Session& session, const srp_ev_outcome& event) {
  if (event.decision == 0) return SRP_E_ARG;
  for (BindRow& row : session.policy.binds.rows.all()) {
    if (row.pending_decision != event.decision) continue;
    row.pending_decision = 0;
    if (row.quarantine_until != 0) {
      if (event.result == SRP_DONE) return SRP_OK;
      refuse_quarantine(session, row, Reason::quarantine_declined);
    } else if (event.result == SRP_DECLINED_NO_CANDIDATE) {
      give_up_rebind(session, row);
    } else if (event.result == SRP_SUPERSEDED) {
      row.quiet_until = 0;
    }
    // Done: the pairing is about to be unbound. No capacity: asked again after the retry interval.
    return SRP_OK;
  }
  return SRP_IGNORED;
}

std::int32_t on_tick(Session& session) {
  std::int32_t status = SRP_IGNORED;
  for (BindRow& row : session.policy.binds.rows.all()) {
    if (row.wake_at == 0 || row.wake_at > session.event.now || row.ended != 0) continue;
    if (!session.out.has_room()) return SRP_E_SPACE;
    row.wake_at = 0;
    status = SRP_OK;
    if (awaits_release(row, session.event.now)) {
      end_quarantine(session, row);
    } else if (row.no_draft_until != 0 && row.no_draft_until <= session.event.now) {
      end_no_draft(session, row, Reason::no_draft_expired);
    } else if (row.judged != 0) {
      judge_row(session, row);
    }
  }
  return status;
}

}  // namespace specroute::router
