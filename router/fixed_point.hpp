/// @file
/// Logarithms and roots in integers: the same bits on every machine.
#pragma once

#include <bit>
#include <cstdint>

#include "router/counts.hpp"

namespace specroute::router {

/// ln(numerator / denominator) in millionths, both > 0 and below 2^62. Error below 3e-6.
/// @source the binary logarithm by repeated squaring; Knuth, TAOCP 1, 1.2.2, exercise 25.
inline std::int64_t micro_ln(std::uint64_t numerator, std::uint64_t denominator) {
  constexpr int kFraction = 30;
  constexpr Wide kOne = Wide{1} << 60U;
  // Both as mantissas in [1, 2); their exponents make the whole part.
  const int up = std::countl_zero(numerator);
  const int down = std::countl_zero(denominator);
  Wide mantissa = (Wide{numerator << static_cast<unsigned>(up)} << 60U) /
                  Wide{denominator << static_cast<unsigned>(down)};
  std::int64_t log2 = down - up;
  if (mantissa < kOne) {
    mantissa *= 2;
    --log2;
  }
  for (int bit = 0; bit < kFraction; ++bit) {
    mantissa = (mantissa * mantissa) >> 60U;
    log2 *= 2;
    if (mantissa >= 2 * kOne) {
      mantissa /= 2;
      ++log2;
    }
  }
  constexpr std::int64_t kNanoLn2 = 693'147'181;
  return static_cast<std::int64_t>(Wide{log2} * kNanoLn2 / (Wide{1000} << kFraction));
}

/// Largest integer whose square is at most `value`.
inline std::uint64_t whole_root(std::uint64_t value) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31U; bit != 0; bit >>= 1U) {
    const std::uint64_t next = root | bit;
    if (next * next <= value) root = next;
  }
  return root;
}

}  // namespace specroute::router
