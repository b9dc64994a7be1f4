/// @file
/// `params_hash`: the seed's code as it stands, in its order of checks. It rewards any delta that
/// is not a spike, a collapse included. Where a value that the code compares is unknown there is
/// nothing to run it on: hold.
///
/// It sees a spike between sides whose hashes differ, and any difference while logits are
/// forwarded. It cannot see what version 1 of the hash leaves out (top-k), masks, and whether a
/// hash is only claimed; and it waits for no cool-down.
/// Statistic: post - pre > delta_threshold over the paired baseline, and equality of hashes.
/// Parameters: min_drafted, cool_down_s, delta_threshold, baseline_window_s, rebind,
/// params_hash_version, retry_s, no_draft_s.
/// @source the seed, validate_post_failover_acceptance.
#include "router/gate.hpp"

namespace specroute::router {

Verdict judge_params_hash(const Evidence& evidence, const Config&) {
  if (evidence.tokenizer == Match::different) return rebind(Reason::tokenizer_mismatch);
  if (evidence.tokenizer == Match::unknown) return hold(Reason::fingerprint_unknown);
  if (evidence.kv == Match::different) return rebind(Reason::kv_block_mismatch);
  if (evidence.kv == Match::unknown) return hold(Reason::fingerprint_unknown);
  if (evidence.forwarded_logits) {
    if (evidence.params == Match::different) return rebind(Reason::params_differ_logits_forwarded);
    if (evidence.params == Match::unknown) return hold(Reason::fingerprint_unknown);
  }
  if (!evidence.after_failover) return hold(Reason::no_failover);
  if (!evidence.delta_known) return hold(Reason::baseline_unknown);
  if (!evidence.spike) return lock(Reason::delta_within_threshold);
  if (evidence.params == Match::different) return rebind(Reason::unattributable_spike);
  if (evidence.params == Match::unknown) return hold(Reason::fingerprint_unknown);
  return lock_or_extend(Reason::genuine_gain);
}

}  // namespace specroute::router
