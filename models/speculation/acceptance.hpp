/// @file
/// From the acceptance of one position to the figures that engines count, and back.
///
/// A draft has gamma tokens; the first rejection ends it. A shape is the conditional acceptance
/// a_1 ... a_gamma, a_k that of token k given that 1 ... k-1 were accepted; i.i.d. positions have
/// all a_k = alpha. U_k = a_1 ... a_k is the unconditional acceptance of token k, which vLLM
/// reports per position. Published rates never compare across gamma; alphas may.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/random/threshold.hpp"

namespace specroute::models {

/// The longest draft. Real chains stop far below.
inline constexpr int kMaxDraftTokens = 16;

/// gamma equal conditionals. @param alpha in [0, 1]. @param draft_tokens in [0, kMaxDraftTokens].
[[nodiscard]] std::vector<double> iid_shape(double alpha, int draft_tokens);

/// Conditionals U_k / U_(k-1) of an unconditional vector (vLLM's `synthetic_acceptance_rates`).
/// @param unconditional in [0, 1], non-increasing. Past a zero the conditional is 0.
[[nodiscard]] std::vector<double> conditional_shape(std::span<const double> unconditional);

/// The unconditional vector that vLLM makes of a `synthetic_acceptance_length`: the one of least
/// variance, as many certain positions as fit, one that takes the fraction, then none:
/// 3.4 of 5 is 1, 1, .4, 0, 0. @param length in [1, draft_tokens + 1].
/// @source vLLM, config/speculative.py.
[[nodiscard]] std::vector<double> rates_from_length(double length, int draft_tokens);

/// The first `draft_tokens` conditionals; past the end of the vector its last one holds on. An
/// extrapolation: published shapes are flat, rise or fall, mostly within .05 a position.
/// @param conditional not empty.
[[nodiscard]] std::vector<double> extended_shape(std::span<const double> conditional,
                                                 int draft_tokens);

/// A measured shape where the token-pair model says `alpha` instead of `measured_alpha`: every a_k
/// is raised to the power log alpha / log measured_alpha. i.i.d. positions move from one alpha to
/// the other, any shape keeps its form, and nothing leaves [0, 1].
/// @param measured_alpha in (0, 1). @param alpha in [0, 1].
[[nodiscard]] std::vector<double> shape_at_level(std::span<const double> conditional,
                                                 double measured_alpha, double alpha);

/// The conditionals of a measured shape, each raised to one power so that the accepted rate becomes
/// `rate`: the shape keeps its form, the level moves; conditionals of 0 and 1 stay, and the rate is
/// then the nearest there is. @param rate in [0, 1].
[[nodiscard]] std::vector<double> shape_with_rate(std::span<const double> conditional, double rate);

/// Acceptance rate, accepted / drafted: (U_1 + ... + U_gamma) / gamma. @return in [0, 1]; an empty
/// shape is a bug: without drafts there is no rate.
[[nodiscard]] double accepted_rate(std::span<const double> conditional);

/// Share of the draft tokens that are verified at all which are accepted:
/// (U_1 + ... + U_gamma) / (1 + U_1 + ... + U_(gamma-1)). @return in [0, 1].
[[nodiscard]] double accepted_share(std::span<const double> conditional);

/// `accepted_rate` of i.i.d. positions: (alpha + alpha^2 + ... + alpha^gamma) / gamma.
[[nodiscard]] double rate_from_alpha(double alpha, int draft_tokens);

/// Inverse of `rate_from_alpha` in alpha (it is increasing), to 1e-15. @param rate in [0, 1].
[[nodiscard]] double alpha_from_rate(double rate, int draft_tokens);

/// Tokens per verification, bonus included: 1 + U_1 + ... + U_gamma. For i.i.d. positions this is
/// (1 - alpha^(gamma+1)) / (1 - alpha). @return in [1, gamma + 1].
/// @source Leviathan et al., ICML 2023, equation 1.
[[nodiscard]] double mean_acceptance_length(std::span<const double> conditional);

/// P(accepted = k) for k = 0 ... gamma: U_k - U_(k+1), with U_0 = 1 and U_(gamma+1) = 0.
[[nodiscard]] std::vector<double> accepted_distribution(std::span<const double> conditional);

/// The accepted count as one comparison per position: P(count >= k) = U_k, so the count is the
/// number of k whose threshold the word hits. Thresholds do not increase; unused ones are 0.
struct AcceptedThresholds {
  std::array<std::uint32_t, kMaxDraftTokens> at_least{};  ///< at_least[k - 1] for count >= k
  int draft_tokens = 0;
};

/// Each U_k to the nearest 2^-31; exact at 0 and 1.
[[nodiscard]] AcceptedThresholds accepted_thresholds(std::span<const double> conditional);

/// Accepted tokens for one uniform word. @return in [0, draft_tokens].
[[nodiscard]] inline int accepted_count(const AcceptedThresholds& thresholds, std::uint32_t word) {
  int count = 0;
  for (int k = 0; k < thresholds.draft_tokens; ++k)
    count += hits(word, thresholds.at_least[static_cast<std::size_t>(k)]) ? 1 : 0;
  return count;
}

}  // namespace specroute::models
