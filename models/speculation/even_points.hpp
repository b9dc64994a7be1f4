/// @file
/// Even points and strata, of which the tables of positions are drawn: quadrature, not chance.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/random/stream.hpp"

namespace specroute::models {

/// A permutation of [0, size), size a power of two: odd products and shifts to the right are
/// one-to-one on the low bits. It deals one stratum to each position.
class Permutation {
 public:
  /// Takes two words of the stream. @param size a power of two.
  Permutation(Stream& stream, std::size_t size);

  [[nodiscard]] std::uint32_t operator()(std::uint32_t index) const {
    index = (index * factor0_ + offset0_) & mask_;
    index ^= index >> 4U;
    index = (index * factor1_ + offset1_) & mask_;
    return index ^ index >> 5U;
  }

 private:
  std::uint32_t factor0_, factor1_, offset0_, offset1_, mask_;
};

/// Generalised golden ratios: the root of x^(d+1) = x + 1, for points in d dimensions.
inline constexpr double kGoldenOfEight = 1.0850702454914507;
inline constexpr double kGoldenOfFive = 1.1347241384015194;

/// Coordinate k of point i of the additive recurrence on a golden ratio phi: the fraction of
/// 1/2 + (i + 1) / phi^(k + 1), kept inside (0, 1). Even in all d dimensions together.
/// @source Niederreiter, "Random Number Generation and Quasi-Monte Carlo Methods", SIAM 1992,
/// section 3.1.
[[nodiscard]] double even_point(std::size_t index, std::size_t coordinate, double golden);

}  // namespace specroute::models
