/// @file
/// `low_threshold`: acceptance below a floor ends drafting for good; anything else is rewarded.
///
/// It sees drafts that cost more than they win. It cannot see a spike, and what was turned
/// off by a passing fault stays off.
/// Statistic: acceptance of the counts judged < low_threshold.
/// Parameters: min_drafted, cool_down_s, low_threshold.
/// @source TensorRT-LLM, SpeculationGate (rolling mean of the accepted length over the last
/// completed requests; disables speculation permanently).
#include "router/gate.hpp"

namespace specroute::router {

Verdict judge_low_threshold(const Evidence& evidence, const Config& config) {
  if (!evidence.measured) return hold(Reason::none);
  if (rate_ppm(evidence.post) >= config.low_ppm) return lock(Reason::first_judged_window);
  return no_draft_for_ever(Reason::acceptance_too_low);
}

}  // namespace specroute::router
