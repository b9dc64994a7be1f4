/// @file
/// Poisson arrivals with phases.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/random/stream.hpp"
#include "models/workload/arrivals.hpp"

namespace specroute::models {
namespace {

/// The uniform for which the exponential of mean 1 is `hazard`.
double uniform_of(double hazard) {
  return -std::expm1(-hazard);
}

// 2/s in [0, 10), silence in [10, 20), 4/s from 20 on.
const std::vector<ArrivalPhase> kPhases{{.start = Seconds{0.0}, .rate = EventRate{2.0}},
                                        {.start = Seconds{10.0}, .rate = EventRate{0.0}},
                                        {.start = Seconds{20.0}, .rate = EventRate{4.0}}};

TEST(PoissonArrivals, SpendsOneExpectedEventAtTheRateOfItsPhase) {
  PoissonArrivals arrivals(kPhases);
  EXPECT_NEAR(arrivals.next(Seconds{1.0}, uniform_of(1.0))->count(), 1.5, 1e-12);
  EXPECT_NEAR(arrivals.next(Seconds{30.0}, uniform_of(1.0))->count(), 30.25, 1e-12);
}

// From 9.75 s: half an event until 10 s, none until 20 s, the other half at 4/s: 20.125 s.
TEST(PoissonArrivals, CarriesTheRestAcrossSilence) {
  PoissonArrivals arrivals(kPhases);
  EXPECT_NEAR(arrivals.next(Seconds{9.75}, uniform_of(1.0))->count(), 20.125, 1e-12);
}

TEST(PoissonArrivals, BeginsWithTheFirstPhase) {
  PoissonArrivals arrivals(
      std::vector<ArrivalPhase>{{.start = Seconds{5.0}, .rate = EventRate{1.0}}});
  EXPECT_NEAR(arrivals.next(Seconds{0.0}, uniform_of(2.0))->count(), 7.0, 1e-12);
}

TEST(PoissonArrivals, EndsWhereTheRateStaysZero) {
  PoissonArrivals arrivals(
      std::vector<ArrivalPhase>{{.start = Seconds{0.0}, .rate = EventRate{1.0}},
                                {.start = Seconds{3.0}, .rate = EventRate{0.0}}});
  EXPECT_TRUE(arrivals.next(Seconds{0.0}, uniform_of(2.5)).has_value());
  EXPECT_FALSE(arrivals.next(Seconds{2.5}, uniform_of(0.6)).has_value());
  EXPECT_FALSE(arrivals.next(Seconds{9.0}, 0.0).has_value());
}

// 10 s at 2/s and 480 s at 4/s: 1,940 expected, standard deviation 44. Of a Poisson process the
// gaps have a coefficient of variation of 1; from n gaps its standard error is about 1 / sqrt(n).
TEST(PoissonArrivals, CountsAsManyAsTheIntegralOfTheRate) {
  PoissonArrivals arrivals(kPhases);
  Stream draws = Seed{11}.stream("test arrivals");
  Seconds now{0.0};
  int count = 0;
  double sum = 0.0;
  double squares = 0.0;
  for (;;) {
    const Seconds next = *arrivals.next(now, draws.uniform());
    ASSERT_GE(next, now);
    ASSERT_FALSE(next > Seconds{10.0} && next < Seconds{20.0}) << "an arrival in the silence";
    if (next > Seconds{500.0}) break;
    if (now > Seconds{20.0}) {
      sum += (next - now).count();
      squares += (next - now).count() * (next - now).count();
    }
    now = next;
    ++count;
  }
  EXPECT_NEAR(count, 1940, 4 * 44);
  const double gaps = count - 20;
  const double mean = sum / gaps;
  EXPECT_NEAR(std::sqrt(squares / gaps - mean * mean) / mean, 1.0, 4.0 / std::sqrt(gaps));
}

}  // namespace
}  // namespace specroute::models
