/// @file
/// `none`: reward whatever is measured, as the router of the incident did. Blind to fail-overs.
#include "router/gate.hpp"

namespace specroute::router {

Verdict judge_none(const Evidence&, const Config&) {
  return lock(Reason::first_judged_window);
}

}  // namespace specroute::router
