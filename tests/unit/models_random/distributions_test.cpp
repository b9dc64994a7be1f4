#include "models/random/distributions.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "models/random/stream.hpp"

namespace specroute::models {
namespace {

constexpr int kDraws = 200'000;
constexpr double kErrors = 5.0;  // standard errors allowed: one false alarm in 1.7 million

struct Moments {
  double mean = 0.0;
  double variance = 0.0;
};

template <class Draw>
Moments moments_of(Draw draw) {
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = draw();
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kDraws;
  return {mean, squares / kDraws - mean * mean};
}

// The inverse composed with the distribution function, Phi(x) = erfc(-x / sqrt 2) / 2, is the
// identity. d(log Phi)/dx is about -x in the lower tail, so a relative error of 1e-16 in x = -8
// costs 64 x 1e-16 in Phi: 2e-14 is a tight bound down to 1e-15.
TEST(StandardNormal, InvertsTheDistributionFunction) {
  for (const double u :
       {1e-300, 1e-100, 1e-50, 1e-15, 1e-9, 1e-4, 0.01, 0.07, 0.0750001, 0.2, 0.4999, 0.5}) {
    const double x = standard_normal(u);
    const double back = 0.5 * std::erfc(-x / std::sqrt(2.0));
    EXPECT_NEAR(back / u, 1.0, 2e-14 + 4e-16 * x * x) << u;
  }
}

TEST(StandardNormal, IsOddAboutOneHalf) {
  EXPECT_EQ(standard_normal(0.5), 0.0);
  for (const double u : {0x1p-30, 0x1p-10, 0.125, 0.25, 0.4375})
    EXPECT_EQ(standard_normal(u), -standard_normal(1.0 - u)) << u;
}

// Mean 0 with standard error 1/sqrt(n); variance 1 with sqrt(2/n), as E[z^4] = 3.
TEST(StandardNormal, HasMeanZeroAndVarianceOne) {
  auto stream = Seed{21}.stream("normal");
  const auto got = moments_of([&] { return standard_normal(stream.uniform_open()); });
  EXPECT_NEAR(got.mean, 0.0, kErrors * std::sqrt(1.0 / kDraws));
  EXPECT_NEAR(got.variance, 1.0, kErrors * std::sqrt(2.0 / kDraws));
}

// Mean m with standard error m/sqrt(n); variance m^2 with m^2 sqrt(8/n), as the fourth central
// moment of an exponential is 9 m^4 and 9 - 1 = 8.
TEST(Exponential, HasItsMeanAndItsSquareForVariance) {
  auto stream = Seed{22}.stream("exponential");
  const auto got = moments_of([&] { return exponential(Seconds{2.5}, stream.uniform()).count(); });
  EXPECT_NEAR(got.mean, 2.5, kErrors * 2.5 * std::sqrt(1.0 / kDraws));
  EXPECT_NEAR(got.variance, 6.25, kErrors * 6.25 * std::sqrt(8.0 / kDraws));
}

// u = 1 - 1/e is one mean; the median is log 2 means.
TEST(Exponential, PutsQuantilesWhereTheFormulaDoes) {
  EXPECT_EQ(exponential_unit(0.0), 0.0);
  EXPECT_NEAR(exponential_unit(1.0 - std::exp(-1.0)), 1.0, 1e-15);
  EXPECT_NEAR(poisson_gap(4.0, 0.5).count(), std::log(2.0) / 4.0, 1e-16);
}

// Arrivals of a Poisson process in a fixed time T: mean and variance both rate x T. Over m windows
// the mean has standard error sqrt(rT/m), the variance about rT sqrt(2/m + 1/(rT m)).
TEST(PoissonGap, CountsArrivalsWithEqualMeanAndVariance) {
  auto stream = Seed{23}.stream("poisson");
  constexpr int kWindows = 20'000;
  constexpr double kPerWindow = 12.0;
  double sum = 0.0;
  double squares = 0.0;
  for (int w = 0; w < kWindows; ++w) {
    int arrivals = 0;
    for (double t = poisson_gap(6.0, stream.uniform()).count(); t < 2.0;
         t += poisson_gap(6.0, stream.uniform()).count())
      ++arrivals;
    sum += arrivals;
    squares += static_cast<double>(arrivals) * arrivals;
  }
  const double mean = sum / kWindows;
  const double variance = squares / kWindows - mean * mean;
  EXPECT_NEAR(mean, kPerWindow, kErrors * std::sqrt(kPerWindow / kWindows));
  EXPECT_NEAR(variance, kPerWindow,
              kErrors * kPerWindow * std::sqrt((2.0 + 1.0 / kPerWindow) / kWindows));
}

// cv = 1/2: sigma^2 = log 1.25 = 0.22314; mu = log 64 - 0.11157 = 4.04731.
TEST(Lognormal, MatchesMomentsByHand) {
  const auto lengths = Lognormal::from_mean_and_cv(64.0, 0.5);
  EXPECT_NEAR(lengths.sigma * lengths.sigma, std::log(1.25), 1e-15);
  EXPECT_NEAR(lengths.mu, std::log(64.0) - 0.5 * std::log(1.25), 1e-14);
  EXPECT_NEAR(lengths.sample(0.5), 64.0 / std::sqrt(1.25), 1e-12);  // the median
}

// With w = exp(sigma^2) = 1.25 the kurtosis is w^4 + 2 w^3 + 3 w^2 - 3 = 8.035, so the variance of
// the sample variance is (8.035 - 1) var^2 / n.
TEST(Lognormal, HasItsMeanAndCoefficientOfVariation) {
  auto stream = Seed{24}.stream("lognormal");
  const auto lengths = Lognormal::from_mean_and_cv(64.0, 0.5);
  const auto got = moments_of([&] { return lengths.sample(stream.uniform_open()); });
  EXPECT_NEAR(got.mean, 64.0, kErrors * 32.0 / std::sqrt(kDraws));
  EXPECT_NEAR(got.variance, 1024.0, kErrors * 1024.0 * std::sqrt(7.035 / kDraws));
}

TEST(Lognormal, IsConstantAtZeroVariation) {
  const auto constant = Lognormal::from_mean_and_cv(128.0, 0.0);
  EXPECT_NEAR(constant.sample(0.001), 128.0, 1e-12);
  EXPECT_NEAR(constant.sample(0.999), 128.0, 1e-12);
}

}  // namespace
}  // namespace specroute::models
