/// @file
/// Real speculative rounds: a draft of gamma symbols, one verification, a bonus symbol.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "models/random/stream.hpp"
#include "tests/real_pair/ngram_model.hpp"
#include "tests/real_pair/verdicts.hpp"

namespace specroute::real_pair {

inline constexpr std::size_t kGamma = 4;          ///< draft symbols a round
inline constexpr int kTargetOrder = 8;            ///< the target
inline constexpr std::size_t kPrompt = 32;        ///< first symbols of a held-out verse, or all
inline constexpr std::size_t kCompletion = 96;    ///< symbols generated after it
inline constexpr std::size_t kFirstContext = 16;  ///< the first symbol of a text that is decided on

/// Who samples how, and with which draft.
struct Cell {
  Rule rule;
  int draft_order;
  double request_temperature;   ///< of the request, of p, and what the verifier takes q's to be
  double in_force_temperature;  ///< what the draft applies; 0 is the argmax
};

/// Sums over one completion.
struct CompletionSums {
  double rounds = 0.0;
  std::array<double, kGamma> reached{};   ///< rounds in which draft symbol k was decided on
  std::array<double, kGamma> accepted{};  ///< of those, accepted
  double acceptance = 0.0;                ///< exact acceptance, over the positions decided on
  double total_variation = 0.0;           ///< 1/2 sum |emitted - p|, exact, over the same
  double entropy = 0.0;                   ///< of the emitted distribution, nats, over the same
  double symbols = 0.0;
  double looping = 0.0;  ///< symbols inside a repetition loop
};

/// Generates one completion by the rule, to the end of the round that fills it. The draft drafts
/// from its own symbols, the target verifies in the context that it has accepted; draft symbols
/// past the first rejection are thrown away. The draft is cut short by nothing: every round drafts
/// kGamma symbols.
[[nodiscard]] CompletionSums generate(const NgramModel& model, const Cell& cell,
                                      std::span<const Symbol> prompt, models::Stream& stream);

/// One draft symbol decided on after every symbol of a text that is given, and thrown away: what
/// the rule does in contexts that nobody's rule wrote. Each is a round of gamma = 1.
[[nodiscard]] CompletionSums decide_along(const NgramModel& model, const Cell& cell,
                                          std::span<const Symbol> text, models::Stream& stream);

/// p^(1/T), normalised; T = 0 is the argmax, lowest symbol on ties.
void apply_temperature(std::span<double> probabilities, double temperature);

/// Symbols of a text, from `first` on, that lie in a repetition loop: the last max(24, 2 d) symbols
/// equal those d before them, for a period d of at most 64. That is a unit seen three times, and at
/// least 24 symbols copied.
[[nodiscard]] std::size_t looping_symbols(std::span<const Symbol> text, std::size_t first);

}  // namespace specroute::real_pair
