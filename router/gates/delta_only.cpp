/// @file
/// `delta_only`: a rise beyond the threshold is bad, anything else is rewarded. Without a delta it
/// holds.
///
/// It sees spikes, whatever made them. It cannot see fingerprints, so it rejects genuine gains too,
/// and rewards a stale pair whose rise stays within the threshold, and any collapse.
/// Statistic: post - pre > delta_threshold, exactly, in counts; pre is the paired baseline.
/// Parameters: min_drafted, cool_down_s, delta_threshold, baseline_window_s, retry_s.
/// @source the seed, "Decision Boundary", without its params hash.
#include "router/gate.hpp"

namespace specroute::router {

Verdict judge_delta_only(const Evidence& evidence, const Config&) {
  if (!evidence.after_failover) return hold(Reason::no_failover);
  if (!evidence.delta_known) return hold(Reason::baseline_unknown);
  if (!evidence.spike) return lock(Reason::delta_within_threshold);
  return rebind_blindly(Reason::spike);
}

}  // namespace specroute::router
