/// @file
/// `delta_only`: a rise beyond the threshold is bad, anything else is rewarded; blind to
/// fingerprints, so it rejects genuine gains too. Without a delta it holds.
#include "router/gate.hpp"

namespace specroute::router {

Verdict judge_delta_only(const Evidence& evidence, const Config&) {
  if (!evidence.after_failover) return hold(Reason::no_failover);
  if (!evidence.delta_known) return hold(Reason::baseline_unknown);
  if (!evidence.spike) return lock(Reason::delta_within_threshold);
  return rebind_blindly(Reason::spike);
}

}  // namespace specroute::router
