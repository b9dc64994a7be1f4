/// @file
/// How acceptance changes along a draft, as two numbers that a few mean acceptance lengths fix.
///
/// The depth law: token j of a draft misses with hazard m g^(j-1), so that given its predecessors
/// it is accepted with a_j = exp(-m g^(j-1)).
///   m > 0  the miss hazard of the first token: 1 - a_1 where it is small;
///   g > 0  what one more token does to it. A chain draft is fed its own guesses and features, so
///          its error is amplified from token to token (g > 1: EAGLE); where requests differ, those
///          that reach token j are the easy ones, and text that is copied stays easy, so the hazard
///          falls (g < 1: n-grams, multi-token prediction). g = 1 is the i.i.d. draft.
/// Hence P(at least k accepted) = exp(-m (g^k - 1) / (g - 1)): Gompertz' law of mortality, with the
/// draft token as the unit of age. (For tokens of one hazard per token, the two causes multiply
/// into one g; one draft length alone cannot tell them apart.)
///
/// Range of validity: extrapolation to about twice the longest measured draft. It knows no end of a
/// draft: a proposer that stops early, or was trained for so many tokens, accepts fewer.
/// @source Gompertz, "On the nature of the function expressive of the law of human mortality",
/// Phil. Trans. R. Soc. 115, 1825. That acceptance follows it is our finding: docs/validation.md.
#pragma once

#include <span>
#include <vector>

namespace specroute::models {

struct DepthLaw {
  double hazard = 0.0;  ///< m >= 0
  double growth = 1.0;  ///< g > 0
};

/// a_1 ... a_gamma. @param draft_tokens in [0, kMaxDraftTokens]. @return each in [0, 1].
[[nodiscard]] std::vector<double> depth_shape(const DepthLaw& law, int draft_tokens);

/// One measured mean acceptance length.
struct MeasuredLength {
  int draft_tokens;          ///< gamma at which it was measured, in [1, kMaxDraftTokens]
  double acceptance_length;  ///< bonus token included, in (1, gamma + 1)
};

/// The law with the least squared error of mean acceptance length, all rows weighing the same;
/// m in [1e-6, 20] to 1e-9 of it, g in [0.1, 10] likewise.
/// Lengths of different draft_tokens come from different runs, so nothing is asked of their
/// differences: they need not even increase.
/// @param measured rows with at least two different draft_tokens; fewer is a bug.
[[nodiscard]] DepthLaw fit_depth_law(std::span<const MeasuredLength> measured);

}  // namespace specroute::models
