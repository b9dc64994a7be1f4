/// @file
/// Finds the token-pair model behind measured figures.
///
/// Each figure is taken while target and draft apply the same sampling parameters, and is read as
/// i.i.d. positions of one alpha. Whatever its kind, it says one of three things:
///   argmax agreement: P(argmax z = argmax z'), what any rule accepts at temperature 0 and what
///     `forwarded_logits` accepts under a stale temperature 0. Depends on epsilon / (kappa s)
///     alone. An acceptance at temperature 0 (or top-k 1) is this by another name;
///   exact-match acceptance: E sum p q. At a fixed ratio it rises with s, from 1 / V to the
///     agreement;
///   rejection acceptance: E sum min(p, q). At a fixed ratio and kappa = 1 it falls with s, from 1
///     to the agreement; with kappa != 1 it can turn.
/// A mean acceptance length is the acceptance of its rule: (length - 1) / gamma is a rate.
///
/// Two figures give (s, epsilon) at a given kappa, a third gives kappa too. Figures of one kind at
/// different temperatures or filters are independent; solvable where a pair can have them.
#pragma once

#include <memory>
#include <optional>

#include <specroute/vocab/result.hpp>

#include "models/speculation/rules.hpp"
#include "models/speculation/sampling.hpp"
#include "models/speculation/token_pair.hpp"

namespace specroute::models {

enum class FigureKind {
  rejection_acceptance,
  exact_match_acceptance,
  argmax_agreement,
  mean_acceptance_length,
};

/// The JSON spelling.
[[nodiscard]] const char* to_string(FigureKind kind);

/// One measured figure.
struct Figure {
  FigureKind kind;
  double value;      ///< accepted / drafted, in (0, 1); of a length: in (1, gamma + 1)
  int draft_tokens;  ///< gamma at which it was measured, in [1, kMaxDraftTokens]
  SamplingParameters parameters = {};  ///< of both sides; an argmax agreement needs none
  /// Of a mean acceptance length: `rejection` or `exact_match`.
  VerificationRule rule = VerificationRule::rejection;
};

/// What to solve, and what is given.
struct CalibrationRequest {
  Figure first;
  Figure second;
  double fidelity = 1.0;          ///< kappa > 0, where no third figure gives it
  double sharpness_spread = 0.0;  ///< >= 0
  std::optional<Figure> third = std::nullopt;
};

/// Solves (s, epsilon), or (s, epsilon, kappa) of three figures with kappa in [0.25, 4].
///
/// The agreement is met to 1 / (2 positions) in alpha, an acceptance to 1e-9. Where top-k, top-p or
/// min-p cut, an acceptance jumps as tokens pass the cut and is met to 1e-3.
///
/// Refused, with the figures and the feasible range (in alpha; "about" where it comes from a coarse
/// scan) in the text: a value outside its range; figures of which one follows from another; figures
/// that no pair meets; two figures that two pairs meet at the given kappa, both named.
///
/// Three figures are mostly met by two pairs, one whose draft is flatter than its target (kappa
/// below 1) and one whose draft is sharper. The flatter one is taken: the smaller model is the less
/// certain one. Of several, the one whose kappa is nearest 1. For the other, give its kappa and two
/// of the figures. Rejection acceptances alone say little about s where kappa is near 1: then small
/// errors in them move it far.
[[nodiscard]] Result<PairParameters> calibrate(
    const CalibrationRequest& request,
    const std::shared_ptr<const PositionTable>& table = PositionTable::standard());

}  // namespace specroute::models
