/// @file
/// A gate: a pure function from evidence to a verdict. Gates keep nothing; what must be
/// remembered is in the bind table, a statistic over many windows in the row's tally.
#pragma once

#include <specroute/policy_abi.h>
#include <cstdint>
#include <span>
#include <string_view>

#include "router/config.hpp"
#include "router/counts.hpp"
#include "router/fingerprint.hpp"
#include "router/reasons.hpp"
#include "router/recent.hpp"
#include "router/tally.hpp"

namespace specroute::router {

/// The pairings of a profile, as seen from the one that is judged. `others` are all but that one,
/// those that ended lately included; the rest is of live pairings, that one included.
struct FleetView {
  Counts others;                  ///< what each of the others was judged on last
  bool best_bound = false;        ///< no live pairing's upper confidence bound is above this one's
  std::uint64_t members = 0;      ///< live pairings
  std::uint64_t quarantined = 0;  ///< of the members
  std::uint64_t peers = 0;        ///< members that serve and were judged
  std::uint64_t sum_ppm = 0;      ///< of the peers' rates
  Wide squares_ppm = 0;           ///< of the peers' rates

  [[nodiscard]] std::int64_t mean_ppm() const;
  /// Of the peers themselves: the population's, not the sample's.
  [[nodiscard]] std::int64_t deviation_ppm() const;
};

/// What is known of one (pairing, profile) when it is judged.
struct Evidence {
  Match tokenizer = Match::unknown;
  Match kv = Match::unknown;
  Match mask = Match::unknown;
  Match params = Match::unknown;
  bool verified = false;     ///< all four equal, reported by the engines, as the profile asks
  bool off_profile = false;  ///< a side samples with other parameters than the profile asks for
  bool forwarded_logits = false;
  bool after_failover = false;
  bool delta_known = false;     ///< both the baseline and the post-fail-over rate are known
  bool spike = false;           ///< delta > threshold
  bool collapse = false;        ///< delta < -threshold
  bool attributed = false;      ///< every window of one full cool-down came from the verified pair
  bool cool_down_over = false;  ///< one full cool-down since the fail-over (else: since the bind)
  bool measured = false;        ///< `post` holds enough tokens for a rate
  Counts post;                  ///< since the last judgement
  Counts pre;                   ///< the baseline, where delta_known
  bool half_open = false;       ///< released from quarantine, and not found well yet
  Outcomes recent;              ///< where the gate reads them
  /// Where the gate reads it; beside the evidence, which is small enough to be made in registers.
  const FleetView* fleet = nullptr;
  const Tally* tally = nullptr;  ///< what the gate has counted so far, `post` included
};

/// What a verdict asks for besides its type.
enum Mark : std::uint64_t {
  kPlain = 0,
  kRenews,     ///< LOCK: extends a lock that holds
  kWakes,      ///< HOLD: judge again when the cool-down is over
  kAsksHash,   ///< REBIND: the newcomer's params hash must fit
  kPermanent,  ///< NO_DRAFT: for ever
};

/// Each member is a word: two that were written apart and are read as one have to be waited for.
struct Verdict {
  std::uint64_t type = SRP_HOLD;
  Reason reason = Reason::none;
  Mark mark = kPlain;
};

inline Verdict hold(Reason reason) {
  return {SRP_HOLD, reason, kPlain};
}
inline Verdict hold_for_cool_down(Reason reason) {
  return {SRP_HOLD, reason, kWakes};
}
inline Verdict lock(Reason reason) {
  return {SRP_LOCK, reason, kPlain};
}
inline Verdict lock_or_extend(Reason reason) {
  return {SRP_LOCK, reason, kRenews};
}
inline Verdict rebind(Reason reason) {
  return {SRP_REBIND, reason, kAsksHash};
}
/// A REBIND by acceptance alone, which asks nothing of the newcomer's parameters.
inline Verdict rebind_blindly(Reason reason) {
  return {SRP_REBIND, reason, kPlain};
}
inline Verdict no_draft(Reason reason) {
  return {SRP_NO_DRAFT, reason, kPlain};
}
inline Verdict no_draft_for_ever(Reason reason) {
  return {SRP_NO_DRAFT, reason, kPermanent};
}
inline Verdict quarantine(Reason reason) {
  return {SRP_QUARANTINE, reason, kPlain};
}

struct Gate {
  std::uint32_t id = 0;
  std::string_view name;
  Verdict (*judge)(const Evidence&, const Config&) = nullptr;
  /// What to say when a pairing is bound, before any traffic; nullptr: nothing.
  Verdict (*at_bind)(const Evidence&) = nullptr;
  /// Folds the counts that are judged into the tally, before the verdict; nullptr: no statistic.
  void (*observe)(const Evidence&, const Config&, Tally&) = nullptr;
  /// What a pairing takes over from the one it replaces at a fail-over, or from the one that it
  /// descends from by a re-bind; nullptr: nothing.
  Tally (*carry)(const Tally& from, bool at_failover) = nullptr;
  bool reads_fleet = false;
  bool reads_baseline = false;
  bool reads_health = false;   ///< its tally is a RecentTally of requests
  bool reads_quality = false;  ///< its tally is a RecentTally of a detector's verdicts
  bool rebinds = false;
  bool falls_back = false;  ///< no candidate: NO_DRAFT rather than HOLD
  std::uint32_t match = 0;  ///< SRP_FP_* bits that a newcomer must share with the kept side
};

Verdict judge_none(const Evidence& evidence, const Config& config);
Verdict judge_delta_only(const Evidence& evidence, const Config& config);
Verdict judge_hash_only(const Evidence& evidence, const Config& config);
Verdict judge_cooldown_only(const Evidence& evidence, const Config& config);
Verdict judge_params_hash(const Evidence& evidence, const Config& config);
Verdict judge_validity(const Evidence& evidence, const Config& config);
Verdict judge_validity_safe(const Evidence& evidence, const Config& config);
Verdict judge_latency_tiebreak(const Evidence& evidence, const Config& config);
Verdict judge_global_mean(const Evidence& evidence, const Config& config);
Verdict judge_ewma(const Evidence& evidence, const Config& config);
Verdict judge_low_threshold(const Evidence& evidence, const Config& config);
Verdict judge_cusum(const Evidence& evidence, const Config& config);
Verdict judge_sprt(const Evidence& evidence, const Config& config);
Verdict judge_mann_whitney(const Evidence& evidence, const Config& config);
Verdict judge_bandit(const Evidence& evidence, const Config& config);
Verdict judge_outlier(const Evidence& evidence, const Config& config);
Verdict judge_error_breaker(const Evidence& evidence, const Config& config);
Verdict judge_quality_probe(const Evidence& evidence, const Config& config);
Verdict bind_validity(const Evidence& evidence);
Verdict bind_validity_safe(const Evidence& evidence);

// The statistics, folded window by window, and what of them a successor takes over.
void observe_ewma(const Evidence& evidence, const Config& config, Tally& tally);
void observe_cusum(const Evidence& evidence, const Config& config, Tally& tally);
void observe_sprt(const Evidence& evidence, const Config& config, Tally& tally);
void observe_mann_whitney(const Evidence& evidence, const Config& config, Tally& tally);
void observe_bandit(const Evidence& evidence, const Config& config, Tally& tally);
Tally carry_latency(const Tally& from, bool at_failover);
Tally carry_ranks(const Tally& from, bool at_failover);

/// The gates, in the order of SRP_GATE_* (which is the schema's).
std::span<const Gate> gates();
/// The gate with `id`, or nullptr.
const Gate* find_gate(std::uint32_t id);

}  // namespace specroute::router
