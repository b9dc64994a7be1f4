/// @file
/// `cooldown_only`: wait one cool-down after the fail-over (before any: after the bind), then
/// reward whatever is there.
///
/// It sees that time has passed. It cannot see whether what lasted was good: a degenerate pair is
/// as steady as a healthy one, and serves all the while.
/// Statistic: now >= fail-over + cool_down_s.
/// Parameters: min_drafted, cool_down_s.
/// @source the seed, "Condition of Validity" (4), taken alone.
#include "router/gate.hpp"

namespace specroute::router {

Verdict judge_cooldown_only(const Evidence& evidence, const Config&) {
  return evidence.cool_down_over ? lock(Reason::cool_down_over)
                                 : hold_for_cool_down(Reason::cooling_down);
}

}  // namespace specroute::router
