#include "models/random/gamma.hpp"

#include <boost/math/distributions/gamma.hpp>
#include <cmath>

#include <gtest/gtest.h>

#include "models/random/distributions.hpp"

namespace specroute::models {
namespace {

// Gamma(1/2) = sqrt(pi), Gamma(5) = 24, Gamma(1) = 1.
TEST(LogGamma, IsExactWhereTheFunctionIsKnown) {
  EXPECT_NEAR(log_gamma(0.5), 0.5 * std::log(3.14159265358979323846), 1e-14);
  EXPECT_NEAR(log_gamma(5.0), std::log(24.0), 1e-13);
  EXPECT_NEAR(log_gamma(1.0), 0.0, 1e-14);
  for (const double x : {1e-4, 0.01, 0.3, 2.5, 17.0, 400.0, 1e6})
    EXPECT_NEAR(log_gamma(x), std::lgamma(x), 1e-12 * std::max(1.0, std::fabs(std::lgamma(x))))
        << x;
}

// Shape 1 is the exponential distribution: x = -log(1 - u).
TEST(GammaQuantile, OfShapeOneIsTheExponential) {
  for (const double u : {1e-9, 0.01, 0.25, 0.5, 0.9, 0.9999})
    EXPECT_NEAR(gamma_quantile(1.0, u), exponential_unit(u), 1e-11 * (1.0 + exponential_unit(u)));
}

TEST(GammaQuantile, AgreesWithTheReference) {
  for (const double shape : {0.0059, 0.04, 0.25, 0.5, 1.0, 2.0, 4.0, 30.0, 1000.0})
    for (const double u : {1e-6, 0.001, 0.1, 0.5, 0.8, 0.99, 0.99999}) {
      const double reference = boost::math::quantile(boost::math::gamma_distribution<>(shape), u);
      const double found = gamma_quantile(shape, u);
      EXPECT_NEAR(found, reference, 1e-9 * reference + 1e-300) << shape << ' ' << u;
    }
}

TEST(GammaTails, SumToOneAndInvert) {
  for (const double shape : {0.1, 1.0, 9.0})
    for (const double x : {0.01, 0.5, 3.0, 20.0}) {
      const GammaTails tails = gamma_tails(shape, x);
      EXPECT_NEAR(tails.lower + tails.upper, 1.0, 1e-14);
      if (tails.lower > 1e-9 && tails.upper > 1e-9) {
        EXPECT_NEAR(gamma_quantile(shape, tails.lower), x, 1e-6 * x) << shape << ' ' << x;
      }
    }
}

TEST(GammaVariate, HasItsMeanAndSpread) {
  // A midpoint rule over u integrates the quantile function: the mean to 1 part in 1000.
  constexpr int kPoints = 20'000;
  for (const double cv : {0.5, 1.0, 2.0}) {
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < kPoints; ++i) {
      const double x = gamma_from_mean_and_cv(3.0, cv, (i + 0.5) / kPoints);
      sum += x;
      squares += x * x;
    }
    const double mean = sum / kPoints;
    EXPECT_NEAR(mean, 3.0, 0.003) << cv;
    EXPECT_NEAR(std::sqrt(squares / kPoints - mean * mean) / mean, cv, 0.01 * cv) << cv;
  }
}

}  // namespace
}  // namespace specroute::models
