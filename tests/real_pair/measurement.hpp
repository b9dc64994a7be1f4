/// @file
/// A cell of the experiment, measured with standard errors.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "tests/real_pair/corpus.hpp"
#include "tests/real_pair/rounds.hpp"

namespace specroute::real_pair {

/// In which contexts the rule decides.
enum class Text {
  held_out,   ///< after every symbol of verses that no rule wrote, one symbol drafted each time
  generated,  ///< in what the same rule has written so far, in rounds of kGamma symbols
};

/// Symbols that a round drafts.
[[nodiscard]] std::size_t draft_symbols(Text text);

/// A mean and its standard error over verses, which are independent.
struct Estimate {
  double mean = 0.0;
  double error = 0.0;
};

struct Measured {
  Estimate rate;                             ///< accepted / drafted
  Estimate mean_length;                      ///< 1 + accepted / rounds
  Estimate acceptance;                       ///< of a position that is decided on
  std::array<double, kGamma> conditional{};  ///< of position k, given that it is decided on
  Estimate total_variation;                  ///< of what is emitted at such a position, against p
  Estimate entropy;                          ///< of the same, nats
  Estimate looping;                          ///< share of generated symbols inside a loop
};

/// The pair, its alphabet, and held-out verses.
struct Laboratory {
  explicit Laboratory(const Corpus& corpus);

  Alphabet alphabet;
  NgramModel model;
  std::vector<std::vector<Symbol>> verses;
};

/// Plays every `stride`-th held-out verse; the same random numbers whatever the cell.
[[nodiscard]] Measured measure(const Laboratory& laboratory, const Cell& cell, Text text,
                               std::size_t stride);

/// All rules at T = 1, 0.7, 0.3 with the draft healthy, stale at T = 0 and at T = 0.2.
[[nodiscard]] std::vector<Cell> cells_of(int draft_order);

/// "T = 0.7, draft 0.2".
[[nodiscard]] std::string situation_of(const Cell& cell);

}  // namespace specroute::real_pair
