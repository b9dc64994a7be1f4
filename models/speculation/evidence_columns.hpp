/// @file
/// What the fixed positions hold for pairs that differ by information (token_pair.hpp): the random
/// side of the evidence that draft and target have about the next token.
///
/// Drawn once, the same in every run, as the rest of the table: which token comes next, how strong
/// the evidence of either side is, and its noise on that token are points of one additive
/// recurrence in five dimensions; the noise on the other tokens is stratified over the positions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace specroute::models {

/// One side's evidence: a Gaussian channel's noise per token, and its strength.
class EvidenceSide {
 public:
  /// @param strength,truth coordinates of the recurrence. @param purpose names the noise's stream.
  EvidenceSide(std::size_t positions, std::size_t vocabulary, std::size_t strength,
               std::size_t truth, const char* purpose);

  /// Standard normal: where this position lies in the spread of evidence.
  [[nodiscard]] double strength(std::size_t position) const { return strengths_[position]; }
  /// Standard normal: the noise on the token that comes next.
  [[nodiscard]] double truth(std::size_t position) const { return truths_[position]; }
  /// Standard normals: the noise on every other token.
  [[nodiscard]] std::span<const double> noise(std::size_t position) const {
    return {&noise_[position * vocabulary_], vocabulary_};
  }

 private:
  std::size_t vocabulary_;
  std::vector<double> strengths_;
  std::vector<double> truths_;
  std::vector<double> noise_;
};

/// Immutable. Memory: 16 bytes per position and token.
class EvidenceColumns {
 public:
  /// @param positions a power of two. @param vocabulary at least 1.
  EvidenceColumns(std::size_t positions, std::size_t vocabulary);

  [[nodiscard]] const EvidenceSide& draft() const { return draft_; }
  [[nodiscard]] const EvidenceSide& target() const { return target_; }
  /// In (0, 1): the next token is the quantile at this share of a position's base distribution.
  [[nodiscard]] double next_token(std::size_t position) const { return next_tokens_[position]; }

 private:
  EvidenceSide draft_;
  EvidenceSide target_;
  std::vector<double> next_tokens_;
};

}  // namespace specroute::models
