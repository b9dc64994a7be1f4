/// @file
/// Schema violations: tokens that bypass the grammar of a guided request.
#pragma once

#include <string>

#include <specroute/vocab/check.hpp>

#include "models/degradation/step_hazard.hpp"
#include "models/speculation/rules.hpp"

namespace specroute::models {

/// What a grammar mask prevents in one scenario.
struct SchemaModel {
  /// Probability, per token emitted without the request's mask, of breaking its schema; [0, 1].
  /// Calibrated: the incident's 0.7 % of completions. No published per-token figure exists; public
  /// reports give shares (vLLM pull request 44993: 14.12 of 24 strict JSON valid, 23.38 repaired).
  double unmasked_hazard = 0.0;
};

/// Hazard per kind of token: whoever samples a token masks it.
///
/// Under `forwarded_logits` verified positions are drawn under the whole parameter block of the
/// draft, mask included, and `synthetic` accepts a draft whatever the target masks (its rejected
/// positions are the target's: an upper bound); under every other rule, and at the bonus token, the
/// target masks. A request without a grammar has no schema to violate.
/// @param situation whose grammars are in force: `request` on the target, `in_force` on the draft
/// @param wanted the grammar that the client asked for; empty: none
[[nodiscard]] inline StepHazard schema_step_hazard(const SchemaModel& model, VerificationRule rule,
                                                   const Situation& situation,
                                                   const std::string& wanted) {
  check(model.unmasked_hazard >= 0.0 && model.unmasked_hazard <= 1.0,
        "a hazard per token lies in [0, 1]");
  const auto unmasked = [&](const SamplingParameters& side) {
    return !wanted.empty() && side.grammar_id != wanted ? model.unmasked_hazard : 0.0;
  };
  const bool draft_masks =
      rule == VerificationRule::forwarded_logits || rule == VerificationRule::synthetic;
  return {.verified = unmasked(draft_masks ? situation.in_force : situation.request),
          .bonus = unmasked(situation.request)};
}

}  // namespace specroute::models
