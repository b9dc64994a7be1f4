/// @file
/// Coin flips of the hot loop: a uniform word against an integer threshold, exact at both ends.
///
/// A 32-bit word against a 32-bit threshold cannot express probability 1, so draws use the upper 31
/// bits: thresholds lie in [0, 2^31], 0 never hits and 2^31 always does. 31 bits also fit the
/// signed comparisons that vector units have. Resolution: 2^-31, 4.7e-10.
#pragma once

#include <cstdint>

namespace specroute::models {

/// The threshold of certainty.
inline constexpr std::uint32_t kCertain = std::uint32_t{1} << 31U;

/// round(probability x 2^31). @param probability in [0, 1]; a NaN or anything outside is a bug.
/// A probability above 0 but below 2^-32 rounds to never.
[[nodiscard]] std::uint32_t threshold_from_probability(double probability);

/// The probability that a uniform word hits: threshold / 2^31, exactly.
[[nodiscard]] constexpr double probability_from_threshold(std::uint32_t threshold) {
  return static_cast<double>(threshold) * 0x1p-31;
}

/// Whether a uniform 32-bit word (a word of a Philox block) hits.
[[nodiscard]] constexpr bool hits(std::uint32_t word, std::uint32_t threshold) {
  return (word >> 1U) < threshold;
}

}  // namespace specroute::models
