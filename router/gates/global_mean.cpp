/// @file
/// `global_mean`: a rise beyond the threshold over the mean of all other pairings is rejected,
/// anything else rewarded.
///
/// It needs no history of the pair. It cannot tell a pair that is good by nature from one that is
/// spoilt, and where many pairings spoil at once the mean spoils with them.
/// Statistic: pooled acceptance of what each other pairing of the profile was judged on last.
/// Parameters: min_drafted, cool_down_s, delta_threshold, retry_s.
/// @source the seed: "against the paired baseline, never the global mean".
#include "router/gate.hpp"

namespace specroute::router {

Verdict judge_global_mean(const Evidence& evidence, const Config& config) {
  if (!evidence.measured || evidence.fleet->others.empty()) return hold(Reason::baseline_unknown);
  return rises_beyond(evidence.post, evidence.fleet->others, config.threshold_ppm)
             ? rebind_blindly(Reason::fleet_mean_exceeded)
             : lock(Reason::no_change_detected);
}

}  // namespace specroute::router
