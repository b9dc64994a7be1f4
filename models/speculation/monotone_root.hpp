/// @file
/// The root of a monotone function of log x, for the calibrations.
#pragma once

#include <cmath>

namespace specroute::models {

/// A point of the search: log x, and what the function says there.
struct RootEnd {
  double log_x;
  double value;
};

struct RootSearch {
  double tolerance;    ///< on the function: met below it
  double narrowest;    ///< on log x: no narrower bracket is worth a step
  int steps;           ///< at the most
  int bisections = 0;  ///< first steps that halve: far from the root both ends are flat
};

/// log x of a root between two ends whose values differ in sign, by false position with halving
/// (Illinois): the bracket never opens, and the order of convergence is 1.44.
/// @source Dowell and Jarratt, "A modified regula falsi method", BIT 11, 1971.
template <class Function>
[[nodiscard]] double monotone_root(const Function& function, RootEnd low, RootEnd high,
                                   const RootSearch& search) {
  int stayed = 0;  // which end has stayed: its value is halved, so that it moves too
  for (int step = 0; step < search.steps; ++step) {
    const double share = step < search.bisections ? 0.5 : low.value / (low.value - high.value);
    const double log_x = low.log_x + (high.log_x - low.log_x) * share;
    const double value = function(log_x);
    if (std::fabs(value) < search.tolerance || high.log_x - low.log_x < search.narrowest)
      return log_x;
    if ((value < 0.0) == (low.value < 0.0)) {
      low = {log_x, value};
      if (stayed == 1) high.value *= 0.5;
      stayed = 1;
    } else {
      high = {log_x, value};
      if (stayed == -1) low.value *= 0.5;
      stayed = -1;
    }
  }
  return 0.5 * (low.log_x + high.log_x);
}

}  // namespace specroute::models
