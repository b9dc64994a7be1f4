/// @file
/// `validity_safe`: as `validity`, and the pair serves without a draft until the engines' own
/// fingerprints are seen to agree. Where they come only with traffic, drafting is tried again
/// whenever a NO_DRAFT has lasted its time.
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
