/// @file
/// Distributions as functions of a uniform number: one uniform in, one variate out, monotone in it.
///
/// The standard library's differ between implementations, and Boost's take their logarithms from
/// libm; these stand on `portable`. Being inverses of the distribution function they preserve
/// common random numbers: the same u under another parameter is the same luck.
#pragma once

#include <specroute/vocab/units.hpp>

namespace specroute::models {

/// Exponential variate of mean 1: -log(1 - u). @param u in [0, 1). @return in [0, 36.8).
[[nodiscard]] double exponential_unit(double u);

/// Exponential time of the given mean: -mean log(1 - u).
/// @param mean > 0. @param u in [0, 1).
[[nodiscard]] Seconds exponential(Seconds mean, double u);

/// Gap to the next arrival of a Poisson process: exponential of mean 1 / rate.
/// @param events_per_second > 0. @param u in [0, 1).
[[nodiscard]] Seconds poisson_gap(double events_per_second, double u);

/// Standard normal variate: the inverse of the distribution function, to about 1 part in 10^16.
/// @param u in (0, 1): `Stream::uniform_open`.
/// @source Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied
/// Statistics 37(3), 1988, routine PPND16.
[[nodiscard]] double standard_normal(double u);

/// A lognormal distribution by its own mean and coefficient of variation.
struct Lognormal {
  double mu;     ///< mean of the logarithm
  double sigma;  ///< standard deviation of the logarithm

  /// sigma^2 = log(1 + cv^2), mu = log(mean) - sigma^2 / 2: moment matching, exact.
  /// @param mean > 0. @param coefficient_of_variation >= 0 (0 is the constant).
  [[nodiscard]] static Lognormal from_mean_and_cv(double mean, double coefficient_of_variation);

  /// exp(mu + sigma z), z = standard_normal(u). @param u in (0, 1).
  [[nodiscard]] double sample(double u) const;
};

}  // namespace specroute::models
