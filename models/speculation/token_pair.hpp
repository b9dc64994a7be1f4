/// @file
/// The token-pair model: what a target and its draft would say at one position.
///
/// What both know is a context c = s g over a slice of V tokens, g standard normal and s the
/// sharpness of the content. Two things part the draft from the target, alone or together:
///   error        z' = kappa c + epsilon g', g' standard normal: epsilon is absolute, on the scale
///                of logits, and not multiplied by s; kappa is the draft's calibration (below 1:
///                flatter than the target);
///   information  the next token t is drawn from softmax(s g). Evidence of strength a (nats) adds
///                a [j = t] + sqrt(a) h_j to logit j, h standard normal: what a Gaussian channel
///                of signal-to-noise ratio a tells about t. The draft's evidence enters c, which
///                both know; the target's further evidence enters z alone.
/// So z = c + evidence, z' = kappa c + epsilon g'. Without evidence z = s g and
/// z' = kappa s g + epsilon g'. Without error the draft is what the target would say with less
/// evidence, E[softmax z | c] = softmax z' exactly: both calibrated, as models trained on one text
/// by log-loss are. Each side's distribution then follows from its sampling parameters.
///
/// Validity: one position at a time (teacher forcing), logits independent across tokens apart from
/// the evidence. Held against byte n-gram models in docs/validation-real-pair.md. It says how
/// acceptance moves when parameters move; its parameters are summaries, not properties of weights.
/// @source Channel: Cover and Thomas, "Elements of Information Theory", 2nd edition, section 9.1;
/// that it describes drafts is ours.
#pragma once

#include <memory>
#include <span>
#include <vector>

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

  double draft_evidence = 0.0;   ///< mean a of what both know about the next token, nats, >= 0
  double target_evidence = 0.0;  ///< mean a of what the target knows beyond, nats, >= 0
  /// Standard deviation over positions of the logarithm of either evidence, independently, >= 0:
  /// inside a word nearly all is known, at its start little. The means keep their values.
  double evidence_spread = 0.0;
  /// How generated text moves the pair, >= 0: see text_drift.hpp. 0: it does not.
  double drift = 0.0;
};

/// Whether the sides differ by information.
[[nodiscard]] inline bool has_evidence(const PairParameters& pair) {
  return pair.draft_evidence > 0.0 || pair.target_evidence > 0.0;
}

/// The parameters over a table of positions. Cheap to copy; with evidence, 8 bytes a position.
class PairModel {
 public:
  /// Over the table that suits: `standard`, or `with_evidence` where there is any.
  explicit PairModel(PairParameters parameters);
  /// @param table with evidence columns, if the parameters have evidence.
  PairModel(PairParameters parameters, std::shared_ptr<const PositionTable> table);

  [[nodiscard]] const PairParameters& parameters() const { return parameters_; }
  [[nodiscard]] const PositionTable& table() const { return *table_; }
  [[nodiscard]] const std::shared_ptr<const PositionTable>& shared_table() const { return table_; }

  /// Factor m on both logits at a position: exp(spread x quantile - spread^2 / 2).
  [[nodiscard]] double scale(std::size_t position) const;

  /// How many leading tokens of a position (they are sorted by g) can weigh more than e^-37 of the
  /// most likely one, under the target or the draft, at this temperature: the others together move
  /// a probability by less than V e^-37 = 4.4e-14 and are left out. At temperature 0: how many can
  /// be an argmax. With evidence, which can lift any token: all.
  [[nodiscard]] std::size_t relevant_tokens(std::size_t position, double temperature) const;

  /// Writes z of the leading tokens, m s g where there is no evidence. @param logits one per token
  /// wanted.
  void target_logits(std::size_t position, std::span<double> logits) const;
  /// Writes z' of the leading tokens, m (kappa s g + epsilon g') where there is no evidence.
  void draft_logits(std::size_t position, std::span<double> logits) const;

 private:
  void draw_next_tokens();
  void add_evidence(const EvidenceSide& side, double mean, std::size_t position,
                    std::span<double> logits) const;

  PairParameters parameters_;
  std::shared_ptr<const PositionTable> table_;
  std::vector<std::size_t> next_tokens_;  // t of every position; empty without evidence
};

}  // namespace specroute::models
