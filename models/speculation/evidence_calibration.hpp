/// @file
/// Finds a pair that differs by information behind two measured figures.
///
/// At temperature 1 the draft is calibrated, so E sum p q = E sum q^2: the exact-match acceptance
/// gives the draft's evidence alone. Given that, rejection acceptance and argmax agreement fall as
/// the target's further evidence grows, and give that. At other temperatures the first depends a
/// little on the second, and the two are solved in turn until both hold.
#pragma once

#include <memory>

#include <specroute/vocab/result.hpp>

#include "models/speculation/calibration.hpp"

namespace specroute::models {

/// What all pairs of a kind have in common. The defaults were chosen with sight of the byte n-gram
/// pairs of docs/validation-real-pair.md, all orders alike, and hold for nothing else yet.
struct EvidenceStructure {
  double sharpness = 2.0;        ///< s > 0: how uneven the tokens are without any context
  double evidence_spread = 1.2;  ///< >= 0
  double drift = 1.1;            ///< >= 0; 0 for rounds on text that somebody else wrote
};

/// Acceptances are of text that the pair generated; an agreement is of natural text.
struct EvidenceRequest {
  Figure exact_match;  ///< of kind exact_match_acceptance
  Figure other;        ///< of kind rejection_acceptance or argmax_agreement
  EvidenceStructure structure = {};
};

/// Solves (draft_evidence, target_evidence), each in [0.001, 1000] nats. An acceptance is met to
/// 1e-6 in alpha, an agreement to 1 / positions. A draft that matches less than one without
/// evidence would has draft_evidence 0 and a lower sharpness than the structure's, which meets the
/// exact match to 1 / positions.
///
/// Refused: a rate outside (0, 1); other kinds of figures; an acceptance at temperature 0 or top-k
/// 1, which is the agreement; a figure that no evidence meets, with what the others leave possible.
/// Cost: about 30 evaluations.
[[nodiscard]] Result<PairParameters> calibrate_evidence(
    const EvidenceRequest& request,
    const std::shared_ptr<const PositionTable>& table = PositionTable::with_evidence());

}  // namespace specroute::models
