/// @file
/// Two samplers that share their noise: how often they pick the same token.
#pragma once

#include <span>

namespace specroute::models {

/// P(argmax(log p_i + G_i) = argmax(log q_i + G_i)) for independent standard Gumbel G_i:
///
///   sum over x of 1 / sum over y of max(p_y / p_x, q_y / q_x),
///
/// terms with p_x q_x = 0 left out. Derivation: E_i = e^-G_i is exponential of mean 1, and the two
/// argmaxes are the argmins of E_i / p_i and E_i / q_i. Both are x iff for every y
/// E_y >= E_x max(p_y / p_x, q_y / q_x); given E_x = e that has probability
/// exp(-e sum over y != x of the max), and the integral of exp(-e (1 + sum over y != x)) is its
/// inverse. Tokens in order of p / q turn each inner sum into two partial sums, since
/// p_y / p_x >= q_y / q_x iff p_y / q_y >= p_x / q_x: O(V log V).
///
/// It lies between sum p q and sum min(p, q) = 1 - TV, is at least (1 - TV) / (1 + TV), and at a
/// one-hot q is p(x). Ratios are ordered to 20 bits of mantissa, which moves the result by less
/// than 1e-8 (a test).
/// @param p,q distributions over the same tokens, at most 65,536 of them. @return in [0, 1].
/// @source the same formula, for exponential clocks: Moulton and Jiang, "Maximally Consistent
/// Sampling and the Jaccard Index of Probability Distributions", ICDM Workshops 2018, arXiv
/// 1809.04052; the lower bound, and the use: Daliri, Musco and Suresh, "Coupling without
/// Communication and Drafter-Invariant Speculative Decoding", arXiv 2408.07978.
[[nodiscard]] double coupled_acceptance(std::span<const double> p, std::span<const double> q);

}  // namespace specroute::models
