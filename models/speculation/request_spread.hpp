/// @file
/// Requests that differ: some texts are easy to draft, some are not, and a request stays what it
/// is. Its steps are then correlated, while the mean over requests is what was measured.
///
/// A request's conditional acceptances are those of the mean request, each raised to one power:
/// a_k(j) = a_k ^ x_j, log x_j = c - tau z_j, z standard normal over requests: log(-log a) is
/// normal. Requests come in kRequestQuantiles equally likely kinds, at the quantiles
/// z_j = Phi^-1((j + 1/2) / kRequestQuantiles), so that one row of step tables serves each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <specroute/vocab/result.hpp>

namespace specroute::models {

/// How many kinds of request a spread has.
inline constexpr std::uint32_t kRequestQuantiles = 16;

/// The shapes of the kinds, hardest first.
///
/// c is solved so that the mean acceptance length *as engines count it* stays what it was. A
/// request of n tokens takes n / m_j steps, so the hard ones are seen in more steps, and what is
/// counted over all steps is the harmonic mean of the m_j: 1 + accepted / drafts. That mean, hence
/// accepted / drafted too, equals the given shape's to 1e-12; the plain mean of a_1 then lies
/// above a_1. Conditionals of 0 or 1 stay as they are.
/// @param conditional shape of the mean request. @param scale tau in [0, kLargestScale].
[[nodiscard]] std::vector<std::vector<double>> spread_shapes(std::span<const double> conditional,
                                                             double scale);

/// Correlation over requests of the acceptance of first draft tokens at two steps of one request:
/// Var(a_1) / (mean(a_1) (1 - mean(a_1))) over the kinds. 0 where a_1 is 0 or 1.
/// @param conditional shape of the mean request, each in [0, 1], at least one.
/// @param scale tau in [0, kLargestScale]. @return in [0, 1).
[[nodiscard]] double step_correlation(std::span<const double> conditional, double scale);

/// The tau of a given correlation; it rises with tau. Refused, with the largest one there is, where
/// kRequestQuantiles kinds around this shape cannot carry it.
/// @param conditional shape of a healthy mean request. @param correlation in [0, 1).
[[nodiscard]] Result<double> scale_for_correlation(std::span<const double> conditional,
                                                   double correlation);

/// Beyond it requests are all but certain to be accepted or rejected throughout.
inline constexpr double kLargestScale = 12.0;

}  // namespace specroute::models
