#include "models/workload/arrival_process.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "models/random/distributions.hpp"

namespace specroute::models {
namespace {

constexpr Seed kSeed{20261106};

std::vector<double> dates(const ArrivalSpec& spec, double horizon_s) {
  ArrivalProcess process(spec, Seconds{horizon_s}, kSeed, 3);
  std::vector<double> all;
  while (const auto date = process.next()) all.push_back(date->count());
  return all;
}

double count_in(const std::vector<double>& all, double from, double to) {
  double count = 0.0;
  for (const double date : all) count += date >= from && date < to;
  return count;
}

ArrivalSpec poisson(double rate) {
  ArrivalSpec spec;
  spec.kind = ArrivalKind::poisson;
  spec.rate_per_s = rate;
  return spec;
}

struct Gaps {
  double mean;
  double cv;
};
Gaps gaps_of(const std::vector<double>& all) {
  double last = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  for (const double date : all) {
    sum += date - last;
    squares += (date - last) * (date - last);
    last = date;
  }
  const double n = static_cast<double>(all.size());
  return {sum / n, std::sqrt(squares / n - sum / n * sum / n) / (sum / n)};
}

// What schedules were before there were other processes: one draw, one gap.
TEST(PoissonArrivals, AreTheSumOfPoissonGapsOfTheirStream) {
  Stream gaps = kSeed.stream("arrivals", 3);
  Seconds date{0.0};
  for (const double found : dates(poisson(50.0), 20.0)) {
    date += poisson_gap(50.0, gaps.uniform());
    EXPECT_EQ(found, date.count());
  }
  EXPECT_GT(date.count(), 19.0);
}

// 50,000 gaps: the mean is off by cv / sqrt(n), 5 standard errors allowed.
TEST(GammaArrivals, HaveTheRateAndTheVariationAskedFor) {
  for (const double cv : {0.4, 3.0}) {
    ArrivalSpec spec = poisson(100.0);
    spec.kind = ArrivalKind::gamma;
    spec.cv = cv;
    const Gaps gaps = gaps_of(dates(spec, 500.0));
    EXPECT_NEAR(gaps.mean, 0.01, 0.01 * 5.0 * cv / std::sqrt(5e4)) << cv;
    EXPECT_NEAR(gaps.cv, cv, 0.05 * cv) << cv;
  }
}

TEST(GammaArrivals, OfVariationOneArePoisson) {
  ArrivalSpec spec = poisson(10.0);
  spec.kind = ArrivalKind::gamma;
  spec.cv = 1.0;
  EXPECT_EQ(dates(spec, 50.0), dates(poisson(10.0), 50.0));
}

// States of 2/s for 30 s and 40/s for 10 s: the long-run rate is (2 x 30 + 40 x 10) / 40 = 11.5/s.
// Counts per second are over-dispersed: for a stay much longer than a second the index of
// dispersion is about 1 + Var(rate) / mean rate = 1 + 0.75 x 0.25 x 38^2 / 11.5 = 24.5, a little
// less for the seconds in which the state changes.
TEST(MarkovModulatedArrivals, HaveTheLongRunRateAndComeInClumps) {
  ArrivalSpec spec;
  spec.kind = ArrivalKind::markov_modulated;
  spec.states = {{2.0, Seconds{30.0}}, {40.0, Seconds{10.0}}};
  constexpr double kHorizon = 100'000.0;
  const auto all = dates(spec, kHorizon);
  EXPECT_NEAR(static_cast<double>(all.size()) / kHorizon, 11.5, 0.5);
  std::vector<double> per_second(static_cast<std::size_t>(kHorizon), 0.0);
  for (const double date : all) ++per_second[static_cast<std::size_t>(date)];
  const double mean = static_cast<double>(all.size()) / kHorizon;
  double variance = 0.0;
  for (const double count : per_second) variance += (count - mean) * (count - mean) / kHorizon;
  EXPECT_GT(variance / mean, 20.0);
  EXPECT_LT(variance / mean, 26.0);
}

TEST(MarkovModulatedArrivals, VisitEveryOfThreeStatesAlike) {
  ArrivalSpec spec;
  spec.kind = ArrivalKind::markov_modulated;
  spec.states = {{30.0, Seconds{1.0}}, {0.0, Seconds{1.0}}, {60.0, Seconds{1.0}}};
  // Stays are alike and so are visits: (30 + 0 + 60) / 3 = 30/s.
  EXPECT_NEAR(static_cast<double>(dates(spec, 30'000.0).size()) / 30'000.0, 30.0, 1.0);
}

// Over a whole period the cosine is nought; over the half around the peak its mean is 2 / pi.
TEST(DiurnalArrivals, FollowTheSinusoid) {
  ArrivalSpec spec = poisson(50.0);
  spec.kind = ArrivalKind::diurnal;
  spec.amplitude = 0.8;
  spec.period = Seconds{400.0};
  spec.peak = Seconds{100.0};
  const auto all = dates(spec, 4000.0);
  EXPECT_NEAR(static_cast<double>(all.size()), 200'000.0, 5.0 * std::sqrt(200'000.0));
  double high = 0.0;
  for (int period = 0; period < 10; ++period)
    high += count_in(all, 400.0 * period, 400.0 * period + 200.0);
  const double expected = 2000.0 * 50.0 * (1.0 + 0.8 * 2.0 / 3.14159265358979);
  EXPECT_NEAR(high, expected, 5.0 * std::sqrt(expected));
  EXPECT_DOUBLE_EQ(rate_at(spec, Seconds{100.0}), 90.0);
  EXPECT_NEAR(rate_at(spec, Seconds{300.0}), 10.0, 1e-9);
}

TEST(PiecewiseArrivals, StepOrRampBetweenPoints) {
  ArrivalSpec spec;
  spec.kind = ArrivalKind::piecewise;
  spec.points = {{Seconds{0.0}, 0.0}, {Seconds{100.0}, 200.0}, {Seconds{200.0}, 0.0}};
  const auto steps = dates(spec, 400.0);
  EXPECT_EQ(count_in(steps, 0.0, 100.0), 0.0);
  EXPECT_NEAR(count_in(steps, 100.0, 200.0), 20'000.0, 5.0 * std::sqrt(20'000.0));
  EXPECT_EQ(count_in(steps, 200.0, 400.0), 0.0);
  spec.linear = true;
  const auto ramp = dates(spec, 400.0);
  // The last quarter of the rise: 100 s x 200/s x (1 - 0.75^2) / 2 = 4375.
  EXPECT_NEAR(count_in(ramp, 75.0, 100.0), 4375.0, 5.0 * std::sqrt(4375.0));
  EXPECT_NEAR(static_cast<double>(ramp.size()), 20'000.0, 5.0 * std::sqrt(20'000.0));
  EXPECT_DOUBLE_EQ(rate_at(spec, Seconds{150.0}), 100.0);
}

TEST(Bursts, MultiplyTheRateWhileTheyLast) {
  ArrivalSpec spec = poisson(20.0);
  spec.rate_bursts = {{Seconds{100.0}, Seconds{100.0}, 5.0}, {Seconds{150.0}, Seconds{100.0}, 0.0}};
  const auto all = dates(spec, 400.0);
  EXPECT_NEAR(count_in(all, 0.0, 100.0), 2000.0, 5.0 * std::sqrt(2000.0));
  EXPECT_NEAR(count_in(all, 100.0, 150.0), 5000.0, 5.0 * std::sqrt(5000.0));
  EXPECT_EQ(count_in(all, 150.0, 250.0), 0.0);  // 5 x 0, then 0
  EXPECT_NEAR(count_in(all, 250.0, 400.0), 3000.0, 5.0 * std::sqrt(3000.0));
}

TEST(Bursts, BringSoManyRequestsBesidesAndLeaveTheProcessAlone) {
  const auto without = dates(poisson(2.0), 30.0);
  ArrivalSpec spec = poisson(2.0);
  spec.request_bursts = {{Seconds{20.0}, 3, Seconds{0.0}},
                         {Seconds{10.0}, 4, Seconds{2.0}},
                         {Seconds{10.9}, 1, Seconds{0.0}}};
  const auto with = dates(spec, 30.0);
  std::vector<double> both = without;
  both.insert(both.end(), {10.0, 10.5, 10.9, 11.0, 11.5, 20.0, 20.0, 20.0});
  std::ranges::sort(both);
  EXPECT_EQ(with, both);
}

TEST(ArrivalProcess, OfNoKindHasBurstsAlone) {
  ArrivalSpec spec;
  EXPECT_TRUE(dates(spec, 1000.0).empty());
  spec.request_bursts = {{Seconds{1.0}, 2, Seconds{0.0}}, {Seconds{99.0}, 2, Seconds{2.0}}};
  EXPECT_EQ(dates(spec, 100.0), (std::vector<double>{1.0, 1.0, 99.0}));  // 100 is too late
}

}  // namespace
}  // namespace specroute::models
