/// @file
/// Schema violations: tokens that bypass the grammar of a guided request.
#pragma once

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

/// Hazard per kind of token.
///
/// Only `forwarded_logits` lets a foreign grammar through: its verified positions are drawn under
/// the whole parameter block of the draft, mask included. Every other rule masks the target's
/// distribution with the request's grammar, and so does the bonus token. A request without a
/// grammar has no schema to violate.
/// @param situation whose grammar is wanted, and whose is in force on the draft.
[[nodiscard]] inline StepHazard schema_step_hazard(const SchemaModel& model, VerificationRule rule,
                                                   const Situation& situation) {
  check(model.unmasked_hazard >= 0.0 && model.unmasked_hazard <= 1.0,
        "a hazard per token lies in [0, 1]");
  const bool guided = !situation.request.grammar_id.empty();
  const bool bypassed = rule == VerificationRule::forwarded_logits &&
                        situation.in_force.grammar_id != situation.request.grammar_id;
  return {.verified = guided && bypassed ? model.unmasked_hazard : 0.0, .bonus = 0.0};
}

}  // namespace specroute::models
