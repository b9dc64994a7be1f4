/// @file
/// The fixed positions over which every expectation of the token-pair model is an average.
///
/// A position is a vocabulary slice of V tokens with standard normal logits g (the target's) and
/// g' (the draft's own noise). The table is drawn once from a seed of its own, the same in every
/// run, so that an expectation is a deterministic function of the model's parameters: smooth where
/// both sides sample, a step function of the noise (steps of 1 / positions) where one is greedy.
/// It is a quadrature rule, not a random experiment: no run's seed touches it.
///
/// How it is drawn. The ordered g of a position come from V exponential spacings (Renyi). Over the
/// positions every spacing and every g' is stratified (a Latin hypercube: each of the P strata
/// once); for the four leading tokens, which decide the argmax, both are points of an additive
/// recurrence, even in all eight dimensions together. With 512 positions acceptances come within
/// about 0.003 of those of 16,384, where independent draws have a standard error of 0.013.
/// @source McKay, Beckman and Conover, Technometrics 21(2), 1979 (Latin hypercube); Renyi, "On the
/// theory of order statistics", 1953; Niederreiter, "Random Number Generation and Quasi-Monte Carlo
/// Methods", SIAM 1992, section 3.1 (additive recurrences).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/speculation/evidence_columns.hpp"
#include "models/speculation/large_array.hpp"

namespace specroute::models {

/// How many positions of how many tokens. The defaults are the model's; tests use fewer.
struct PositionTableSize {
  std::size_t positions = 512;
  std::size_t vocabulary = 512;
  bool evidence = false;  ///< whether it serves pairs with evidence
};

/// Immutable. Memory: 16 bytes per position and token, 4.2 MB by default; about 10 ms to build.
class PositionTable {
 public:
  /// @param size positions a power of two, vocabulary at least 1.
  explicit PositionTable(PositionTableSize size);

  /// The table of the default size, made on first use and shared.
  [[nodiscard]] static std::shared_ptr<const PositionTable> standard();

  /// The table for pairs with evidence: 4,096 positions of 64 tokens, made on first use and
  /// shared. Against 16,384 positions acceptances are off by about 0.006, at worst 0.012.
  [[nodiscard]] static std::shared_ptr<const PositionTable> with_evidence();

  [[nodiscard]] std::size_t positions() const { return size_.positions; }
  [[nodiscard]] std::size_t vocabulary() const { return size_.vocabulary; }

  /// g of one position, largest first: token ids are ranks under the target.
  [[nodiscard]] std::span<const double> target(std::size_t position) const;
  /// g' of the same tokens, in the same order.
  [[nodiscard]] std::span<const double> draft_noise(std::size_t position) const;
  /// The largest g' of one position.
  [[nodiscard]] double largest_noise(std::size_t position) const {
    return largest_noise_[position];
  }
  /// Standard normal quantile of (position + 1/2) / positions: for a spread over positions.
  [[nodiscard]] double quantile(std::size_t position) const { return quantiles_[position]; }

  /// What it holds for pairs with evidence. To ask a table without it is a bug.
  [[nodiscard]] const EvidenceColumns& evidence() const;

  /// Share of positions where argmax(g + ratio g') is argmax(g). @param ratio >= 0.
  ///
  /// The maximum of the lines g_j + ratio g'_j is convex in the ratio, so a token that loses the
  /// maximum never regains it: each position has one critical ratio,
  /// min over j with g'_j > g'_0 of (g_0 - g_j) / (g'_j - g'_0), and agrees below it.
  [[nodiscard]] double agreement(double ratio) const;

  /// A ratio whose agreement is the nearest multiple of 1 / positions to `share`, in the middle of
  /// the interval of such ratios. @param share in (1 / vocabulary, 1].
  [[nodiscard]] double ratio_for_agreement(double share) const;

 private:
  void draw();
  void finish(std::size_t position);

  PositionTableSize size_;
  LargeArray target_;
  LargeArray draft_noise_;
  std::vector<double> largest_noise_;
  std::vector<double> quantiles_;
  std::optional<EvidenceColumns> evidence_;
  std::vector<double> critical_ratios_;  // ascending; infinite where the target's token leads both
};

}  // namespace specroute::models
