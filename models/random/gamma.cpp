#include "models/random/gamma.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <specroute/vocab/check.hpp>

#include "models/random/distributions.hpp"
#include "models/random/portable_math.hpp"

namespace specroute::models {
namespace {

constexpr double kLanczos = 7.0;
constexpr std::array kTerms = {0.99999999999980993227684700473478,
                               676.520368121885098567009190444019,
                               -1259.13921672240287047156078755283,
                               771.3234287776530788486528258894,
                               -176.61502916214059906584551354,
                               12.507343278686904814458936853,
                               -0.13857109526572011689554707,
                               9.984369578019570859563e-6,
                               1.50563273514931155834e-7};
constexpr double kHalfLogTwoPi = 0.91893853320467274178032973640562;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kTiny = 1e-300;

/// x^a e^-x / Gamma(a): the density times x.
double density_times_x(double shape, double x, double log_gamma_of_shape) {
  return portable::exp(shape * portable::log(x) - x - log_gamma_of_shape);
}

/// P by its series: x^a e^-x / Gamma(a) times the sum of x^n / (a (a+1) ... (a+n)).
double lower_series(double shape, double x, double front) {
  double denominator = shape;
  double term = 1.0 / shape;
  double sum = term;
  while (term > sum * kEpsilon) {
    denominator += 1.0;
    term *= x / denominator;
    sum += term;
  }
  return std::min(1.0, sum * front);
}

/// Q by its continued fraction, evaluated by Lentz's method.
double upper_fraction(double shape, double x, double front) {
  double b = x + 1.0 - shape;
  double c = 1.0 / kTiny;
  double d = 1.0 / b;
  double value = d;
  for (int i = 1; i < 100'000; ++i) {
    const double a = -i * (i - shape);
    b += 2.0;
    d = a * d + b;
    if (std::fabs(d) < kTiny) d = kTiny;
    c = b + a / c;
    if (std::fabs(c) < kTiny) c = kTiny;
    d = 1.0 / d;
    const double factor = d * c;
    value *= factor;
    if (std::fabs(factor - 1.0) <= kEpsilon) break;
  }
  return std::min(1.0, value * front);
}

/// Where Halley's method starts: Wilson and Hilferty's cube of a normal variate above shape 1, the
/// two ends of the distribution joined below.
double first_guess(double shape, double u) {
  if (shape > 1.0) {
    const double z = standard_normal(u);
    const double root = 1.0 - 1.0 / (9.0 * shape) + z / (3.0 * std::sqrt(shape));
    return std::max(1e-3, shape * root * root * root);
  }
  const double knee = 1.0 - shape * (0.253 + shape * 0.12);
  if (u < knee) return portable::pow(u / knee, 1.0 / shape);
  return 1.0 - portable::log(1.0 - (u - knee) / (1.0 - knee));
}

/// One step of Halley's method from x towards the root of an increasing function.
/// @param error the function at x
/// @param slope_times_x its derivative there, times x
double halley_step(double shape, double x, double error, double slope_times_x) {
  const double newton = slope_times_x > 0.0 ? error * x / slope_times_x : 0.0;
  const double curve = std::min(1.0, newton * ((shape - 1.0) / x - 1.0));
  return x - newton / (1.0 - 0.5 * curve);
}

/// @param front density_times_x at x > 0
GammaTails tails_at(double shape, double x, double front) {
  if (x < shape + 1.0) {
    const double lower = lower_series(shape, x, front);
    return {.lower = lower, .upper = 1.0 - lower};
  }
  const double upper = upper_fraction(shape, x, front);
  return {.lower = 1.0 - upper, .upper = upper};
}

}  // namespace

double log_gamma(double x) {
  check(x > 0.0, "the gamma function is asked right of 0");
  if (x < 0.5) return log_gamma(x + 1.0) - portable::log(x);
  const double y = x - 1.0;
  double sum = kTerms[0];
  for (std::size_t i = 1; i < kTerms.size(); ++i) sum += kTerms[i] / (y + static_cast<double>(i));
  const double t = y + kLanczos + 0.5;
  return kHalfLogTwoPi + (y + 0.5) * portable::log(t) - t + portable::log(sum);
}

GammaTails gamma_tails(double shape, double x) {
  check(shape > 0.0 && x >= 0.0, "a gamma distribution lies right of 0");
  if (x == 0.0) return {.lower = 0.0, .upper = 1.0};
  return tails_at(shape, x, density_times_x(shape, x, log_gamma(shape)));
}

double gamma_quantile(double shape, double u) {
  check(u > 0.0 && u < 1.0, "a gamma variate needs u in (0, 1)");
  // Far left the first term of the series is all there is: P = x^a / Gamma(a + 1).
  const double log_of_gamma = log_gamma(shape);
  const double far_left =
      portable::exp((portable::log(u) + log_of_gamma + portable::log(shape)) / shape);
  if (far_left < 1e-12) return far_left;
  double low = 0.0;
  double high = std::numeric_limits<double>::infinity();
  double x = first_guess(shape, u);
  for (int i = 0; i < 60; ++i) {
    const double front = density_times_x(shape, x, log_of_gamma);
    const GammaTails tails = tails_at(shape, x, front);
    const double error = u < 0.5 ? tails.lower - u : (1.0 - u) - tails.upper;
    (error > 0.0 ? high : low) = x;
    double next = halley_step(shape, x, error, front);
    if (!(next >= low && next <= high)) next = high < 1e300 ? 0.5 * (low + high) : 2.0 * x + 1.0;
    // The error after a step is of the order of the step's cube.
    const bool settled = std::fabs(next - x) <= 1e-6 * x;
    x = next;
    if (settled) break;
  }
  return x;
}

double gamma_from_mean_and_cv(double mean, double cv, double u) {
  check(mean > 0.0 && cv > 0.0, "a gamma variate has a mean and a spread");
  const double shape = 1.0 / (cv * cv);
  return gamma_quantile(shape, u) / shape * mean;
}

}  // namespace specroute::models
