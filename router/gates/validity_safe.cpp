/// @file
/// `validity_safe`: as `validity`, and the pair serves without a draft until the engines' own
/// fingerprints are seen to agree. Where they come only with traffic, drafting is tried again
/// whenever a NO_DRAFT has lasted its time.
///
/// It sees what `validity` sees before anybody is served by it. It cannot see more; where engines
/// report no fingerprints it costs the speculation for good, but for the tries.
/// Statistic: as `validity`.
/// Parameters: min_drafted, cool_down_s, delta_threshold, baseline_window_s, rebind,
/// params_hash_version, retry_s, no_draft_s.
/// @source the seed, "Condition of Validity" (1): "verified at bind time, not at config time".
#include "router/gate.hpp"

namespace specroute::router {

Verdict judge_validity_safe(const Evidence& evidence, const Config& config) {
  const auto verdict = judge_validity(evidence, config);
  if (verdict.type == SRP_REBIND || evidence.verified) return verdict;
  // Waiting would never verify a pair whose parameters are known to differ.
  if (evidence.params == Match::different) return rebind(Reason::params_differ);
  return no_draft(Reason::not_verified);
}

Verdict bind_validity_safe(const Evidence& evidence) {
  const auto verdict = bind_validity(evidence);
  if (verdict.type == SRP_REBIND) return verdict;
  if (evidence.params == Match::different) return rebind(Reason::params_differ);
  return evidence.verified ? hold(Reason::verified_consistent) : no_draft(Reason::not_verified);
}

}  // namespace specroute::router
