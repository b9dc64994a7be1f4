/// @file
/// `cooldown_only`: wait one cool-down after the fail-over (before any: after the bind), then
/// reward whatever is there.
#include "router/gate.hpp"

namespace specroute::router {

Verdict judge_cooldown_only(const Evidence& evidence, const Config&) {
  return evidence.cool_down_over ? lock(Reason::cool_down_over)
                                 : hold_for_cool_down(Reason::cooling_down);
}

}  // namespace specroute::router
