#include "router/judgement.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "router/constraint.hpp"
#include "router/fleet.hpp"
#include "router/recent.hpp"

namespace specroute::router {
namespace {

std::uint64_t later(std::uint64_t now, std::uint64_t span) {
  // One less than SRP_FOREVER: nothing a gate says here is permanent.
  return span < SRP_FOREVER - 1 - now ? now + span : SRP_FOREVER - 1;
}

/// A rate over fewer tokens than this is no evidence.
bool enough(const Session& session, const BindRow& row) {
  return row.unjudged.drafted >= session.policy.config.min_drafted;
}

Evidence evidence_of(const Session& session, const BindRow& row) {
  const Config& config = session.policy.config;
  const std::uint32_t known = row.draft.side.known & row.target.side.known;
  const std::uint32_t differ = differing(row.draft.side, row.target.side, config.hash_version);
  const auto match = [known, differ](std::uint32_t bit) {
    if ((known & bit) == 0) return Match::unknown;
    return (differ & bit) != 0 ? Match::different : Match::equal;
  };
  Evidence evidence;
  evidence.tokenizer = match(SRP_FP_TOKENIZER);
  evidence.kv = match(SRP_FP_KV);
  evidence.mask = match(SRP_FP_MASK);
  evidence.params = match(SRP_FP_PARAMS);
  evidence.verified = pair_verified(row, config);
  evidence.off_profile = config.match_draft == 0 && off_profile(row, config.hash_version);
  evidence.forwarded_logits = row.forward == SRP_FORWARD_LOGITS;
  evidence.after_failover = row.after_failover != 0;
  evidence.cool_down_over = session.event.now >= later(row.cool_down_start, config.cool_down_ns);
  evidence.measured = enough(session, row);
  evidence.post = row.unjudged;
  evidence.pre = row.pre;
  evidence.tally = &row.tally;
  evidence.half_open = row.half_open != 0;
  if (session.policy.gate->reads_health || session.policy.gate->reads_quality)
    evidence.recent = recent_outcomes(row.tally, session.event.now, config.observation_ns);
  evidence.delta_known = row.after_failover != 0 && row.pre_known != 0 && evidence.measured;
  if (!evidence.delta_known) return evidence;
  const std::int64_t threshold = config.threshold_ppm;
  evidence.spike = rises_beyond(row.unjudged, row.pre, threshold);
  evidence.collapse = rises_beyond(row.pre, row.unjudged, threshold);
  evidence.attributed = row.attributed_since != 0 &&
                        session.event.now >= later(row.attributed_since, config.cool_down_ns);
  return evidence;
}

std::int64_t bits(std::uint64_t value) {
  return std::bit_cast<std::int64_t>(value);
}

std::uint64_t mismatched(const srp_side& side, Reason reason) {
  if (reason == Reason::kv_block_mismatch) return side.kv_block_tokens;
  return reason == Reason::mask_mismatch ? side.mask : side.tokenizer;
}

void fill_numbers(srp_decision& decision, const Session& session, const BindRow& row, Reason reason,
                  const FleetView& fleet) {
  const Config& config = session.policy.config;
  const auto version = config.hash_version;
  const auto draft = bits(params_of(row.draft.side, version));
  const auto target = bits(params_of(row.target.side, version));
  const auto whole = [](std::uint64_t count) { return static_cast<std::int64_t>(count); };
  const auto drafted = whole(row.latest.drafted);
  const auto post = rate_ppm(row.latest);
  const auto pre = row.pre_known != 0 ? rate_ppm(row.pre) : 0;
  const auto set = [&decision](std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
    decision.arg[0] = a;
    decision.arg[1] = b;
    decision.arg[2] = c;
    decision.arg[3] = d;
  };
  switch (reason_text(static_cast<std::uint32_t>(reason)).numbers) {
    case Numbers::rates:
      return set(row.pre_known != 0 ? post - pre : 0, post, pre, drafted);
    case Numbers::hashes:
      return set(draft, target, bits(row.required(version)), drafted);
    case Numbers::both:
      return set(post - pre, post, draft, target);
    case Numbers::ids:
      return set(bits(mismatched(row.draft.side, reason)),
                 bits(mismatched(row.target.side, reason)), drafted, 0);
    case Numbers::rate:
      return set(post, drafted, 0, 0);
    case Numbers::peers:
      return set(post, fleet.mean_ppm(), fleet.deviation_ppm(), whole(fleet.peers));
    case Numbers::outcomes: {
      const Outcomes recent = recent_outcomes(row.tally, session.event.now, config.observation_ns);
      return set(recent.share_ppm(), whole(recent.bad), whole(recent.total),
                 session.policy.gate->reads_quality ? config.tolerated_ppm : config.failure_ppm);
    }
  }
}

/// @param fleet what the gate compared with, where it did
srp_decision draft_decision(const Session& session, const BindRow& row, std::uint32_t type,
                            Reason reason, const FleetView& fleet) {
  srp_decision decision{};
  decision.h = session.event;
  decision.h.size = sizeof decision;
  decision.h.type = static_cast<std::uint16_t>(type);
  decision.h.flags = 0;
  decision.h.pairing = row.pairing;
  decision.profile = row.profile;
  decision.gate = session.policy.gate->id;
  decision.reason = static_cast<std::uint32_t>(reason);
  decision.dry_run = session.policy.config.shadow;
  fill_numbers(decision, session, row, reason, fleet);
  return decision;
}

/// Numbers the decision, remembers that it was said, and writes it.
void say(Session& session, BindRow& row, srp_decision& decision) {
  decision.id = session.policy.next_decision++;
  row.said_type = decision.h.type;
  row.said_reason = decision.reason;
  row.wake_at = decision.wake_at;
  session.out.write(decision);
}

void say_hold(Session& session, BindRow& row, const Verdict& verdict, const FleetView& fleet) {
  const bool locked = row.locked_until > session.event.now;
  const bool said =
      row.said_type == SRP_HOLD && row.said_reason == static_cast<std::uint32_t>(verdict.reason);
  if (verdict.reason == Reason::none || locked || said) return;
  auto decision = draft_decision(session, row, SRP_HOLD, verdict.reason, fleet);
  if (verdict.mark == kWakes)
    decision.wake_at = later(row.cool_down_start, session.policy.config.cool_down_ns);
  say(session, row, decision);
}

void say_lock(Session& session, BindRow& row, const Verdict& verdict, const FleetView& fleet) {
  const std::uint64_t now = session.event.now;
  const std::uint64_t cool_down = session.policy.config.cool_down_ns;
  if (row.locked_until > now) {
    // A lock is extended in its second half, so that it neither lapses nor floods the host.
    const bool young = row.locked_until - now > cool_down / 2;
    if (verdict.mark != kRenews || young) return;
  }
  auto decision = draft_decision(session, row, SRP_LOCK, verdict.reason, fleet);
  row.locked_until = later(now, cool_down);
  decision.valid_until = row.locked_until;
  decision.prefer_pairing = row.pairing;
  decision.reward_ppm = rate_ppm(row.latest);
  say(session, row, decision);
}

void say_no_draft(Session& session, BindRow& row, const Verdict& verdict) {
  if (row.no_draft_until > session.event.now) return;
  auto decision = draft_decision(session, row, SRP_NO_DRAFT, verdict.reason, {});
  row.no_draft_until = verdict.mark == kPermanent
                           ? SRP_FOREVER
                           : later(session.event.now, session.policy.config.no_draft_ns);
  row.locked_until = 0;
  decision.valid_until = row.no_draft_until;
  decision.wake_at = verdict.mark == kPermanent ? 0 : row.no_draft_until;
  say(session, row, decision);
}

void say_rebind(Session& session, BindRow& row, const Verdict& verdict) {
  srp_policy& policy = session.policy;
  const auto to = constraint_for(row, verdict, *policy.gate, policy.config);
  const srp_side& kept = to.replace == SRP_REPLACE_DRAFT ? row.target.side : row.draft.side;
  row.locked_until = 0;
  if (!policy.candidates.may_have(to, kept, row.profile)) return give_up_rebind(session, row);
  auto decision = draft_decision(session, row, SRP_REBIND, verdict.reason, {});
  decision.to = to;
  std::copy_n(to.exclude, to.n_exclude, row.exclude.begin());
  row.n_exclude = to.n_exclude;
  row.rejected_at = session.event.now;
  row.quiet_until = later(session.event.now, policy.config.retry_ns);
  say(session, row, decision);
  row.pending_decision = decision.id;
}

std::span<BindRow> rows_of(srp_policy& policy, std::uint64_t pairing) {
  const auto rows = policy.binds.rows.all();
  std::size_t first = policy.binds.first_of(pairing);
  std::size_t end = first;
  while (end < rows.size() && rows[end].pairing == pairing) ++end;
  return rows.subspan(first, end - first);
}

/// How often in a row, this time included: one time is forgotten with each first span of service.
std::uint32_t times_quarantined(const BindRow& row, const Config& config, std::uint64_t now) {
  const std::uint64_t forgotten =
      row.quarantines == 0 ? 0 : (now - row.released_at) / config.quarantine_ns;
  const std::uint64_t kept = row.quarantines > forgotten ? row.quarantines - forgotten : 0;
  // A wait beyond the longest would only take longer to forget.
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(kept, config.max_quarantine_ns / config.quarantine_ns) + 1);
}

/// The pairing as a whole goes, so all its profiles wait; the one that was judged speaks.
void say_quarantine(Session& session, BindRow& row, const Verdict& verdict,
                    const FleetView& fleet) {
  const Config& config = session.policy.config;
  const std::uint64_t now = session.event.now;
  auto decision = draft_decision(session, row, SRP_QUARANTINE, verdict.reason, fleet);
  const std::uint32_t times = times_quarantined(row, config, now);
  const Wide span = std::min<Wide>(Wide{config.quarantine_ns} * times, config.max_quarantine_ns);
  decision.valid_until = decision.wake_at = later(now, static_cast<std::uint64_t>(span));
  for (BindRow& each : rows_of(session.policy, row.pairing)) {
    const FleetChange change(session.policy.fleets, each);
    each.quarantine_until = each.wake_at = decision.valid_until;
    each.quarantines = times;
    each.locked_until = 0;
  }
  say(session, row, decision);
  row.pending_decision = decision.id;
}

void carry_out(Session& session, BindRow& row, const Verdict& verdict, const FleetView& fleet) {
  // A REBIND is on its way (or was just refused): the pairing is neither rewarded nor judged again.
  if (row.quiet_until > session.event.now) return;
  row.quiet_until = 0;
  row.pending_decision = 0;
  if (verdict.type == SRP_LOCK || verdict.reason == Reason::probe_passed) row.half_open = 0;
  switch (verdict.type) {
    case SRP_LOCK:
      return say_lock(session, row, verdict, fleet);
    case SRP_REBIND:
      return say_rebind(session, row, verdict);
    case SRP_NO_DRAFT:
      return say_no_draft(session, row, verdict);
    case SRP_QUARANTINE:
      return say_quarantine(session, row, verdict, fleet);
    default:
      return say_hold(session, row, verdict, fleet);
  }
}

}  // namespace

void judge_row(Session& session, BindRow& row) {
  const bool measured = enough(session, row);
  const Gate& gate = *session.policy.gate;
  const Config& config = session.policy.config;
  Evidence evidence = evidence_of(session, row);
  {
    const FleetChange change(session.policy.fleets, row);
    if (measured || row.judged == 0) row.latest = row.unjudged;
    row.judged = 1;
    if (gate.observe != nullptr) gate.observe(evidence, config, row.tally);
  }
  const FleetView fleet =
      gate.reads_fleet ? fleet_of(session.policy, row, session.event.now) : FleetView{};
  evidence.fleet = &fleet;
  carry_out(session, row, gate.judge(evidence, config), fleet);
  if (measured) row.unjudged = Counts{};
}

void judge_bind(Session& session, BindRow& row) {
  const auto at_bind = session.policy.gate->at_bind;
  if (at_bind != nullptr) carry_out(session, row, at_bind(evidence_of(session, row)), {});
}

void give_up_rebind(Session& session, BindRow& row) {
  row.pending_decision = 0;
  if (session.policy.gate->falls_back) {
    row.quiet_until = 0;
    return say_no_draft(session, row, no_draft(Reason::no_candidate));
  }
  row.quiet_until = later(session.event.now, session.policy.config.retry_ns);
  say_hold(session, row, hold(Reason::no_candidate), {});
}

void end_no_draft(Session& session, BindRow& row, Reason reason) {
  row.no_draft_until = 0;
  row.unjudged = Counts{};
  end_attribution(row, session.event.now);
  row.grade = Grade::unseen;  // the next window's fingerprints are judged at once
  say_hold(session, row, hold(reason), {});
}

void judge_outcomes(Session& session, BindRow& row) {
  Evidence evidence = evidence_of(session, row);
  evidence.measured = false;  // acceptance is judged with its windows
  const FleetView fleet;      // nobody who judges outcomes asks for it
  evidence.fleet = &fleet;
  carry_out(session, row, session.policy.gate->judge(evidence, session.policy.config), fleet);
}

void end_quarantine(Session& session, BindRow& row) {
  const FleetChange change(session.policy.fleets, row);
  row.quarantine_until = 0;
  row.pending_decision = 0;
  row.released_at = session.event.now;
  row.half_open = 1;
  row.judged = 0;
  row.unjudged = Counts{};
  row.tally = Tally{};
  say_hold(session, row, hold(Reason::half_open), {});
}

void refuse_quarantine(Session& session, BindRow& row, Reason reason) {
  for (BindRow& each : rows_of(session.policy, row.pairing)) {
    const FleetChange change(session.policy.fleets, each);
    each.quarantine_until = each.wake_at = 0;
    each.quarantines -= each.quarantines > 0 ? 1U : 0U;
    each.released_at = session.event.now;  // service until now was made good when it was proposed
    each.quiet_until = later(session.event.now, session.policy.config.retry_ns);
  }
  row.pending_decision = 0;
  say_hold(session, row, hold(reason), {});
}

}  // namespace specroute::router
