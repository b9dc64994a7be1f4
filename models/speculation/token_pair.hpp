/// @file
/// The token-pair model: what a target and its draft would say at one position.
///
/// Target logits z = s g; draft logits z' = kappa s g + epsilon g', over a slice of V tokens, g and
/// g' standard normal. s is the sharpness of the content, epsilon the draft's error, kappa its
/// calibration (below 1: flatter than the target). epsilon is absolute, on the scale of logits: it
/// is not multiplied by s. Each side's distribution then follows from its sampling parameters.
///
/// Validity: one position at a time (teacher forcing), logits independent across tokens. It says
/// how acceptance moves when parameters move; it is not evidence about any real pair of models.
#pragma once

#include <memory>
#include <span>

#include "models/speculation/position_table.hpp"

namespace specroute::models {

/// All in logits or pure numbers.
struct PairParameters {
  double sharpness = 1.0;  ///< s > 0
  double noise = 0.0;      ///< epsilon >= 0
  double fidelity = 1.0;   ///< kappa > 0
  /// Standard deviation over positions of log s, >= 0; epsilon scales along, so the agreement of
  /// the argmaxes keeps its value. The mean of s over positions is `sharpness`.
  double sharpness_spread = 0.0;
};

/// The parameters over a table of positions. Cheap to copy.
class PairModel {
 public:
  explicit PairModel(PairParameters parameters,
                     std::shared_ptr<const PositionTable> table = PositionTable::standard());

  [[nodiscard]] const PairParameters& parameters() const { return parameters_; }
  [[nodiscard]] const PositionTable& table() const { return *table_; }

  /// Factor m on both logits at a position: exp(spread x quantile - spread^2 / 2).
  [[nodiscard]] double scale(std::size_t position) const;

  /// How many leading tokens of a position (they are sorted by g) can weigh more than e^-37 of the
  /// most likely one, under the target or the draft, at this temperature: the others together move
  /// a probability by less than V e^-37 = 4.4e-14 and are left out. At temperature 0: how many can
  /// be an argmax.
  [[nodiscard]] std::size_t relevant_tokens(std::size_t position, double temperature) const;

  /// Writes z = m s g of the leading tokens. @param logits one per token wanted.
  void target_logits(std::size_t position, std::span<double> logits) const;
  /// Writes z' = m (kappa s g + epsilon g') of the leading tokens.
  void draft_logits(std::size_t position, std::span<double> logits) const;

 private:
  PairParameters parameters_;
  std::shared_ptr<const PositionTable> table_;
};

}  // namespace specroute::models
