#include "sim/comparison/mcnemar.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <charconv>

namespace specroute::sim {
namespace {

double to_four_digits(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, 3);
  double rounded = value;
  std::from_chars(text, end.ptr, rounded);
  return rounded;
}

}  // namespace

double mcnemar_exact(std::uint64_t became_degraded, std::uint64_t became_clean) {
  const std::uint64_t flips = became_degraded + became_clean;
  if (flips == 0) return 1.0;
  const boost::math::binomial_distribution<double> coin(static_cast<double>(flips), 0.5);
  const auto fewer = static_cast<double>(std::min(became_degraded, became_clean));
  return to_four_digits(std::min(1.0, 2.0 * boost::math::cdf(coin, fewer)));
}

}  // namespace specroute::sim
