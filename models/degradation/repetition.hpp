/// @file
/// Detectors of repetition loops, as public engines have them, and how long a loop goes unseen.
///
/// A detector sees tokens, not truth: it fires late on a loop, never on one whose period it does
/// not cover, and wrongly on text that repeats for good reason (a table of zeros, a run of blanks).
/// In a loop of period n every token equals the one n before it. The first copy of the pattern is
/// ordinary text; a loop is entered at the first token that repeats, n tokens later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace specroute::models {

/// Fires when the output ends in `min_count` copies of one pattern of min_pattern..max_pattern
/// tokens.
/// @source vLLM, `RepetitionDetectionParams(max_pattern_size, min_pattern_size, min_count)`, finish
/// reason "repetition". vmlx-swift pull request 229 (a primitive unit, 4 times) and ramblr issue
/// 179 (3 times) are of the same family; Holtzman et al. 2020 count a generation as repetition
/// where a phrase of at least 2 tokens stands at least 3 times at its end.
struct PatternDetector {
  std::uint32_t min_pattern = 1;  ///< >= 1
  std::uint32_t max_pattern = 1;  ///< >= min_pattern
  std::uint32_t min_count = 2;    ///< >= 2
};

/// Fires when the last `gram` tokens stand at least `min_count` times in the last `window` tokens.
/// @source warpfront/hipfire pull request 125: 4 tokens, 8 times, in 256.
struct GramDetector {
  std::uint32_t gram = 4;       ///< >= 1
  std::uint32_t min_count = 8;  ///< >= 2
  std::uint32_t window = 256;   ///< >= gram
};

/// Tokens of a loop, its first copy included, at which the detector fires; none where it never
/// will. A text of primitive period n repeats patterns of n, 2n, 3n ... tokens and no others, so a
/// pattern detector fires at m x min_count tokens, m the least multiple of n within its bounds. A
/// gram recurs every n tokens (more often where it recurs within the period: then this is late), so
/// a gram detector fires at gram + (min_count - 1) n tokens if its window holds them.
/// @param period of the loop, n >= 1.
[[nodiscard]] std::optional<std::uint32_t> tokens_to_detection(const PatternDetector& detector,
                                                               std::uint32_t period);
[[nodiscard]] std::optional<std::uint32_t> tokens_to_detection(const GramDetector& detector,
                                                               std::uint32_t period);

/// Output tokens at which a loop ends that is seen after `tokens_to_detection` of it and that the
/// `entered + 1`st output token entered: entered - period + tokens, as the first copy was already
/// there; but at least `tokens`, as detectors read the output alone and not the prompt.
/// @param entered output tokens before the first that repeats, >= 0
/// @param period of the loop, in tokens, >= 1. @param tokens of `tokens_to_detection`, >= 1
/// @return output tokens, >= `tokens`
[[nodiscard]] constexpr std::uint64_t detected_at(std::uint64_t entered, std::uint32_t period,
                                                  std::uint32_t tokens) {
  return entered > period ? entered - period + tokens : tokens;
}

/// Whether the detector fires at the end of `tokens`. Exact, by comparing: what an engine computes
/// after each token. Work of a pattern detector: at most max_pattern^2 x min_count comparisons.
[[nodiscard]] bool fires(const PatternDetector& detector, std::span<const std::uint32_t> tokens);
[[nodiscard]] bool fires(const GramDetector& detector, std::span<const std::uint32_t> tokens);

/// Number of tokens at which the detector first fires in a growing text; none where it never does.
[[nodiscard]] std::optional<std::size_t> first_detection(const PatternDetector& detector,
                                                         std::span<const std::uint32_t> tokens);
[[nodiscard]] std::optional<std::size_t> first_detection(const GramDetector& detector,
                                                         std::span<const std::uint32_t> tokens);

}  // namespace specroute::models
