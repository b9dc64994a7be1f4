/// @file
/// `low_threshold`: acceptance below a floor ends drafting for good; anything else is rewarded.
///
/// It sees drafts that cost more than they win. It is one-sided: a spike passes, and what was
/// turned off by a passing fault stays off. @source TensorRT-LLM, SpeculationGate (rolling mean of
/// the accepted length over the last completed requests; disables speculation permanently).
#include "router/gate.hpp"

namespace specroute::router {

Verdict judge_low_threshold(const Evidence& evidence, const Config& config) {
  if (!evidence.measured) return hold(Reason::none);
  if (rate_ppm(evidence.post) >= config.low_ppm) return lock(Reason::first_judged_window);
  return no_draft_for_ever(Reason::acceptance_too_low);
}

}  // namespace specroute::router
