#include "models/speculation/even_points.hpp"

#include <algorithm>
#include <cmath>

namespace specroute::models {

Permutation::Permutation(Stream& stream, std::size_t size)
    : mask_(static_cast<std::uint32_t>(size - 1)) {
  const std::uint64_t factors = stream();
  const std::uint64_t offsets = stream();
  factor0_ = static_cast<std::uint32_t>(factors) | 1U;
  factor1_ = static_cast<std::uint32_t>(factors >> 32U) | 1U;
  offset0_ = static_cast<std::uint32_t>(offsets);
  offset1_ = static_cast<std::uint32_t>(offsets >> 32U);
}

double even_point(std::size_t index, std::size_t coordinate, double golden) {
  double step = 1.0;
  for (std::size_t k = 0; k <= coordinate; ++k) step /= golden;
  const double u = 0.5 + static_cast<double>(index + 1) * step;
  return std::clamp(u - std::floor(u), 0x1p-40, 1.0 - 0x1p-40);
}

}  // namespace specroute::models
