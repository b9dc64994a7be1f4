/// @file
/// Finds the token-pair model behind two measured figures.
///
/// Each figure is a rate, accepted / drafted at a draft length, taken while target and draft apply
/// the same sampling parameters; it is read as i.i.d. positions of one alpha (`alpha_from_rate`).
///   argmax agreement: P(argmax z = argmax z'): what any rule accepts at temperature 0, and what
///     `forwarded_logits` accepts under a stale temperature 0. Depends on epsilon / (kappa s)
///     alone;
///   exact-match acceptance: E sum p q. At a fixed ratio it rises with s, from 1 / V to the
///   agreement; rejection acceptance: E sum min(p, q). At a fixed ratio and kappa = 1 it falls with
///   s, from 1 to
///     the agreement.
/// So agreement and one acceptance have one solution or none, with a clear range; the two
/// acceptances together are solved by one bisection inside another.
#pragma once

#include <memory>

#include <specroute/vocab/result.hpp>

#include "models/speculation/sampling.hpp"
#include "models/speculation/token_pair.hpp"

namespace specroute::models {

enum class FigureKind { rejection_acceptance, exact_match_acceptance, argmax_agreement };

/// The JSON spelling.
[[nodiscard]] const char* to_string(FigureKind kind);

/// One measured figure.
struct Figure {
  FigureKind kind;
  double rate;                         ///< accepted / drafted, in (0, 1)
  int draft_tokens;                    ///< gamma at which it was measured, in [1, kMaxDraftTokens]
  SamplingParameters parameters = {};  ///< of both sides; an argmax agreement needs none
};

/// What to solve, and what is given.
struct CalibrationRequest {
  Figure first;
  Figure second;
  double fidelity = 1.0;          ///< kappa > 0: a third figure's worth, so it is an input
  double sharpness_spread = 0.0;  ///< >= 0
};

/// Solves (s, epsilon). The agreement is met to 1 / (2 positions) in alpha, an acceptance to 1e-9.
///
/// Refused, with both figures and the feasible range in the text: a rate outside (0, 1); one kind
/// of figure twice; an acceptance at temperature 0 (or top-k 1), which is the agreement by another
/// name; a pair that no (s, epsilon) meets, or that two meet.
/// Cost: about 12 evaluations with an exact match, 35 with a rejection, 250 without an agreement.
[[nodiscard]] Result<PairParameters> calibrate(
    const CalibrationRequest& request,
    const std::shared_ptr<const PositionTable>& table = PositionTable::standard());

}  // namespace specroute::models
