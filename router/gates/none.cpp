/// @file
/// `none`: reward whatever is measured, as the router of the incident did.
///
/// It sees that a pairing is fast and accepted. It cannot see fail-overs, fingerprints, or why
/// acceptance is what it is: a spike is a win to it.
/// Statistic: acceptance of the first counts that can be judged, compared with nothing.
/// Parameters: min_drafted, cool_down_s.
/// @source the seed, "What Was Observed": latency fell, and the pairing was locked for a cool-down.
#include "router/gate.hpp"

namespace specroute::router {

Verdict judge_none(const Evidence&, const Config&) {
  return lock(Reason::first_judged_window);
}

}  // namespace specroute::router
