/// @file
/// `validity`: the seed's text and code together. Rejects at once; rewards only a rise that both
/// engines' own fingerprints explain, after one full cool-down; holds otherwise.
///
/// It sees all that the four conditions name, and takes nobody's word for it. It cannot see what
/// the configured hash leaves out (version 1: top-k), a difference that no engine reports, harm
/// without a difference of fingerprints; and a pair serves until its first live fingerprint comes.
/// Statistic: post - pre > delta_threshold over the paired baseline of attributed windows; equality
/// of fingerprints reported by engines, with each other and with the profile; every window of one
/// cool-down attributed.
/// Parameters: min_drafted, cool_down_s, delta_threshold, baseline_window_s, rebind,
/// params_hash_version, retry_s, no_draft_s.
/// @source the seed, "Condition of Validity" and "Decision Boundary".
#include "router/gate.hpp"

namespace specroute::router {
namespace {

/// Conditions 1 to 3: what must hold whatever the acceptance. A HOLD means none is broken.
Verdict hash_conditions(const Evidence& evidence) {
  if (evidence.tokenizer == Match::different) return rebind(Reason::tokenizer_mismatch);
  if (evidence.kv == Match::different) return rebind(Reason::kv_block_mismatch);
  if (evidence.mask == Match::different) return rebind(Reason::mask_mismatch);
  if (evidence.forwarded_logits && evidence.params == Match::different)
    return rebind(Reason::params_differ_logits_forwarded);
  return hold(Reason::none);
}

}  // namespace

Verdict judge_validity(const Evidence& evidence, const Config&) {
  if (const auto broken = hash_conditions(evidence); broken.type != SRP_HOLD) return broken;
  if (!evidence.after_failover) return hold(Reason::no_failover);
  if (!evidence.delta_known) return hold(Reason::baseline_unknown);
  if (evidence.collapse) return hold(Reason::acceptance_collapsed);
  if (!evidence.spike) return hold(Reason::delta_within_threshold);
  if (evidence.params == Match::different) return rebind(Reason::unattributable_spike);
  if (!evidence.verified)
    return hold(evidence.off_profile ? Reason::off_profile : Reason::fingerprint_unknown);
  if (!evidence.cool_down_over) return hold(Reason::cooling_down);
  if (!evidence.attributed) return hold(Reason::not_attributed_yet);
  return lock_or_extend(Reason::genuine_gain);
}

Verdict bind_validity(const Evidence& evidence) {
  return hash_conditions(evidence);
}

}  // namespace specroute::router
