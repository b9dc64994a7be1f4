/// @file
/// The gamma distribution by inversion, on the portable functions: a shape below 1 makes gaps that
/// come in bursts, a shape above 1 gaps that are more even than Poisson's.
#pragma once

namespace specroute::models {

/// Logarithm of the gamma function, to about 1 part in 10^14. @param x > 0.
/// @source Lanczos, "A precision approximation of the gamma function", SIAM Journal on Numerical
/// Analysis B 1, 1964; g = 7 and nine terms.
[[nodiscard]] double log_gamma(double x);

/// Both tails of a gamma distribution of scale 1; they sum to 1.
struct GammaTails {
  double lower;  ///< P(a, x): chance of a variate of at most x
  double upper;  ///< Q(a, x): chance of a larger one
};

/// Regularised incomplete gamma functions: the series for P where x < a + 1, the continued fraction
/// for Q beyond. @param shape a > 0, at most 10^6. @param x >= 0.
/// @source Press et al., "Numerical Recipes", 3rd ed., section 6.2.
[[nodiscard]] GammaTails gamma_tails(double shape, double x);

/// The x with P(shape, x) = u: a gamma variate of mean `shape` and variance `shape`.
/// Halley's method from Wilson and Hilferty's estimate, within brackets; about 1 us.
/// @param shape in [1e-4, 10^6]. @param u in (0, 1): `Stream::uniform_open`. @return >= 0;
/// underflows to 0 where the shape is small.
[[nodiscard]] double gamma_quantile(double shape, double u);

/// A gamma variate by its own mean and coefficient of variation: shape 1 / cv^2.
/// @param mean > 0. @param cv in [0.001, 100]. @param u in (0, 1).
/// @return >= 0, in the unit of `mean`; 0 where the quantile underflows.
[[nodiscard]] double gamma_from_mean_and_cv(double mean, double cv, double u);

}  // namespace specroute::models
