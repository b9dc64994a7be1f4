#include "models/random/distributions.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"

namespace specroute::models {
namespace {

using Coefficients = std::array<double, 8>;

// Wichura's rational approximations, lowest power first.
constexpr Coefficients kCentreNumerator = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                           1.9715909503065514427e3, 1.3731693765509461125e4,
                                           4.5921953931549871457e4, 6.7265770927008700853e4,
                                           3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr Coefficients kCentreDenominator = {1.0,
                                             4.2313330701600911252e1,
                                             6.8718700749205790830e2,
                                             5.3941960214247511077e3,
                                             2.1213794301586595867e4,
                                             3.9307895800092710610e4,
                                             2.8729085735721942674e4,
                                             5.2264952788528545610e3};
constexpr Coefficients kShoulderNumerator = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                             5.76949722146069140550e0,  3.64784832476320460504e0,
                                             1.27045825245236838258e0,  2.41780725177450611770e-1,
                                             2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr Coefficients kShoulderDenominator = {1.0,
                                               2.05319162663775882187e0,
                                               1.67638483018380384940e0,
                                               6.89767334985100004550e-1,
                                               1.48103976427480074590e-1,
                                               1.51986665636164571966e-2,
                                               5.47593808499534494600e-4,
                                               1.05075007164441684324e-9};
constexpr Coefficients kTailNumerator = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                         1.78482653991729133580e0,  2.96560571828504891230e-1,
                                         2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                         2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr Coefficients kTailDenominator = {1.0,
                                           5.99832206555887937690e-1,
                                           1.36929880922735805310e-1,
                                           1.48753612908506148525e-2,
                                           7.86869131145613259100e-4,
                                           1.84631831751005468180e-5,
                                           1.42151175831644588870e-7,
                                           2.04426310338993978564e-15};

double polynomial(const Coefficients& coefficients, double x) {
  double value = coefficients.back();
  for (std::size_t i = coefficients.size() - 1; i-- > 0;) value = value * x + coefficients[i];
  return value;
}

}  // namespace

double exponential_unit(double u) {
  check(u >= 0.0 && u < 1.0, "an exponential variate needs u in [0, 1)");
  return -portable::log1p(-u);
}

Seconds exponential(Seconds mean, double u) {
  check(mean.count() > 0.0, "an exponential variate needs a mean above 0");
  return mean * exponential_unit(u);
}

Seconds poisson_gap(double events_per_second, double u) {
  check(events_per_second > 0.0, "a Poisson process needs a rate above 0");
  return Seconds{exponential_unit(u) / events_per_second};
}

double standard_normal(double u) {
  check(u > 0.0 && u < 1.0, "a normal variate needs u in (0, 1)");
  const double q = u - 0.5;
  if (std::fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kCentreNumerator, r) / polynomial(kCentreDenominator, r);
  }
  const double r = std::sqrt(-portable::log(q < 0.0 ? u : 1.0 - u));
  const double magnitude =
      r <= 5.0 ? polynomial(kShoulderNumerator, r - 1.6) / polynomial(kShoulderDenominator, r - 1.6)
               : polynomial(kTailNumerator, r - 5.0) / polynomial(kTailDenominator, r - 5.0);
  return q < 0.0 ? -magnitude : magnitude;
}

Lognormal Lognormal::from_mean_and_cv(double mean, double coefficient_of_variation) {
  check(mean > 0.0, "a lognormal variate needs a mean above 0");
  check(coefficient_of_variation >= 0.0, "a coefficient of variation is not negative");
  const double variance = portable::log1p(coefficient_of_variation * coefficient_of_variation);
  return {.mu = portable::log(mean) - variance / 2.0, .sigma = std::sqrt(variance)};
}

double Lognormal::sample(double u) const {
  return portable::exp(mu + sigma * standard_normal(u));
}

}  // namespace specroute::models
