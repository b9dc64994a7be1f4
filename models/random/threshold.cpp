#include "models/random/threshold.hpp"

#include <specroute/vocab/check.hpp>

namespace specroute::models {

std::uint32_t threshold_from_probability(double probability) {
  check(probability >= 0.0 && probability <= 1.0, "a probability lies in [0, 1]");
  return static_cast<std::uint32_t>(probability * 0x1p31 + 0.5);
}

}  // namespace specroute::models
