/// @file
/// Why a decision was taken: a number that crosses the ABI, its name, and its sentence.
#pragma once

#include <cstdint>
#include <string_view>

namespace specroute::router {

/// Stable numbers: append only. They cross as 32 bits; a word inside (see Verdict).
enum class Reason : std::uint64_t {
  none = 0,
  first_judged_window = 1,
  delta_within_threshold,
  genuine_gain,
  unattributable_spike,
  tokenizer_mismatch,
  kv_block_mismatch,
  mask_mismatch,
  params_differ_logits_forwarded,
  params_differ,
  no_known_difference,
  spike,
  cooling_down,
  cool_down_over,
  baseline_unknown,
  no_failover,
  fingerprint_unknown,
  not_verified,
  verified_consistent,
  no_candidate,
  acceptance_collapsed,
  no_draft_expired,
  not_attributed_yet,
  no_change_detected,
  latency_fell,
  fleet_mean_exceeded,
  above_control_limit,
  below_control_limit,
  drift_upward,
  drift_downward,
  likelier_risen,
  likelihoods_undecided,
  ranks_higher,
  ranks_lower,
  too_few_windows,
  acceptance_too_low,
  best_bound,
  not_best_bound,
  below_other_pairings,
  not_below_other_pairings,
  too_few_pairings,
  ejection_limit,
  too_many_failures,
  failures_tolerable,
  too_many_degraded,
  verdicts_tolerable,
  too_few_verdicts,
  half_open,
  probe_failed,
  probe_passed,
  quarantine_declined,
  off_profile
};

/// Which numbers stand in srp_decision.arg.
enum class Numbers : std::uint32_t {
  rates,    ///< delta, post, baseline (ppm), drafted tokens judged
  hashes,   ///< draft's, target's and the profile's params hash (bits), drafted tokens judged
  both,     ///< delta, post (ppm), draft's and target's params hash (bits)
  ids,      ///< draft's and target's value of the mismatched field, drafted tokens judged, 0
  rate,     ///< post (ppm), drafted tokens judged, 0, 0
  peers,    ///< post, mean and standard deviation of the peers (ppm), number of peers
  outcomes  ///< bad share of the recent ones (ppm), bad ones, all, limit of the share (ppm)
};

struct ReasonText {
  std::string_view code;
  std::string_view sentence;
  Numbers numbers = Numbers::rate;
};

/// The text of a reason; an empty code where the number is unknown.
const ReasonText& reason_text(std::uint32_t reason);

}  // namespace specroute::router
