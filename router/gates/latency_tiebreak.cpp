/// @file
/// `latency_tiebreak`: where acceptance alone cannot tell a gain from an artefact, latency decides:
/// a rise beyond the threshold is rewarded if the pairing got faster, else rejected.
///
/// It sees what users feel. It cannot see that a stale temperature-0 draft is faster *because* its
/// drafts are accepted without merit: acceptance and latency are one observation, not two.
/// Statistic: completion-weighted mean of the windows' median latencies, against that of the
/// pairing that was replaced.
/// Parameters: min_drafted, cool_down_s, delta_threshold, baseline_window_s, retry_s.
/// @source the seed's anti-pattern "latency breaks the tie".
#include "router/gate.hpp"

namespace specroute::router {

Tally carry_latency(const Tally& from, bool at_failover) {
  const auto replaced = read_tally<LatencyTally>(from);
  LatencyTally fresh;
  fresh.before_ns = at_failover ? replaced.mean_ns() : replaced.before_ns;
  return write_tally(fresh);
}

Verdict judge_latency_tiebreak(const Evidence& evidence, const Config&) {
  if (!evidence.after_failover) return hold(Reason::no_failover);
  if (!evidence.delta_known) return hold(Reason::baseline_unknown);
  if (!evidence.spike) return lock(Reason::delta_within_threshold);
  const auto tally = read_tally<LatencyTally>(*evidence.tally);
  const bool faster = tally.completions != 0 && tally.mean_ns() < tally.before_ns;
  return faster ? lock_or_extend(Reason::latency_fell) : rebind_blindly(Reason::spike);
}

}  // namespace specroute::router
