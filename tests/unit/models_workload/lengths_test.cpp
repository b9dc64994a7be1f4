/// @file
/// Length distributions.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "models/random/stream.hpp"
#include "models/workload/lengths.hpp"

namespace specroute::models {
namespace {

constexpr std::uint64_t kMedian = std::uint64_t{1} << 63U;
constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

LengthSpec lognormal(double mean, double cv, std::uint32_t limit) {
  return {.kind = LengthKind::lognormal, .mean = mean, .cv = cv, .limit = limit};
}

TEST(LengthDistribution, GivesAFixedLengthWhateverTheWord) {
  const LengthDistribution lengths({.kind = LengthKind::fixed, .mean = 48.0});
  for (const std::uint64_t word : {std::uint64_t{0}, kMedian, kLargest})
    EXPECT_EQ(lengths.sample(word), 48U);
}

// The median of a lognormal is mean / sqrt(1 + cv^2) = 64 / sqrt(1.25) = 57.24.
TEST(LengthDistribution, HasTheMedianOfALognormal) {
  EXPECT_EQ(LengthDistribution(lognormal(64.0, 0.5, 256)).sample(kMedian), 57U);
}

// sigma = sqrt(log 1.25) = 0.4724. The least of 2^52 quantiles is z = -8.2: 57.24 e^-3.87 = 1.19;
// the greatest is 57.24 e^3.87, far above the limit.
TEST(LengthDistribution, StaysBetweenOneTokenAndTheLimit) {
  const LengthDistribution lengths(lognormal(64.0, 0.5, 256));
  EXPECT_EQ(lengths.sample(0), 1U);
  EXPECT_EQ(lengths.sample(kLargest), 256U);
  EXPECT_EQ(LengthDistribution(lognormal(0.01, 0.5, 256)).sample(kMedian), 1U);
  EXPECT_EQ(LengthDistribution(lognormal(1e12, 3.0, 0xffff'ffffU)).sample(kLargest), 0xffff'ffffU);
}

// Rounding to the nearest integer leaves the mean of a wide distribution alone, and a limit four
// means away takes off less than 0.1: P(X > 256) = P(z > 3.17) = 0.00076.
TEST(LengthDistribution, KeepsTheMeanOfALognormal) {
  EXPECT_NEAR(LengthDistribution(lognormal(64.0, 0.5, 256)).mean(), 64.0, 0.1);
  EXPECT_NEAR(LengthDistribution(lognormal(900.0, 0.3, 8192)).mean(), 900.0, 0.5);
}

// A limit below the median puts an atom of more than one half on it.
TEST(LengthDistribution, PutsAnAtomOnTheLimit) {
  const LengthDistribution lengths(lognormal(64.0, 0.5, 50));
  EXPECT_EQ(lengths.sample(kMedian), 50U);
  EXPECT_LT(lengths.mean(), 50.0);
}

// [3, 6] is four values of a quarter each: words at 1/8, 3/8, 5/8 and 7/8 of the range.
TEST(LengthDistribution, SpreadsAUniformEvenlyOverBothEnds) {
  const LengthDistribution lengths({.kind = LengthKind::uniform, .minimum = 3, .maximum = 6});
  const std::uint64_t eighth = std::uint64_t{1} << 61U;
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(lengths.sample((2 * i + 1) * eighth), 3 + i);
  EXPECT_EQ(lengths.sample(0), 3U);
  EXPECT_EQ(lengths.sample(kLargest), 6U);
}

LengthSpec geometric(double mean, std::uint32_t limit) {
  return {.kind = LengthKind::geometric, .mean = mean, .limit = limit};
}

// p = 1/4: P(length <= 2) = 1 - (3/4)^2 = 7/16, P(length <= 3) = 37/64.
TEST(LengthDistribution, EndsAGeometricAtEachTokenWithOneChance) {
  const LengthDistribution lengths(geometric(4.0, 1000));
  const std::uint64_t sixteenth = std::uint64_t{1} << 60U;
  EXPECT_EQ(lengths.sample(4 * sixteenth - 4096), 1U);
  EXPECT_EQ(lengths.sample(4 * sixteenth + 4096), 2U);
  EXPECT_EQ(lengths.sample(7 * sixteenth - 4096), 2U);
  EXPECT_EQ(lengths.sample(7 * sixteenth + 4096), 3U);
  EXPECT_EQ(lengths.sample(37 * (sixteenth / 4) + 4096), 4U);
  EXPECT_EQ(lengths.sample(0), 1U);
  EXPECT_EQ(lengths.sample(kLargest), 128U) << "log 2^-53 / log 3/4 = 127.7, and the next token";
  EXPECT_NEAR(lengths.mean(), 4.0, 1e-3);
  EXPECT_NEAR(LengthDistribution(geometric(64.0, 100'000)).mean(), 64.0, 0.02);
}

TEST(LengthDistribution, CutsAGeometricAtItsLimitAndAllowsAMeanOfOne) {
  EXPECT_EQ(LengthDistribution(geometric(4.0, 5)).sample(kLargest), 5U);
  EXPECT_EQ(LengthDistribution(geometric(1.0, 5)).sample(kLargest), 1U);
}

TEST(LengthDistribution, TabulatesNothingButTheFormula) {
  Stream words = Seed{7}.stream("test lengths");
  for (const LengthSpec& spec :
       {lognormal(64.0, 0.5, 256), lognormal(3.0, 2.0, 64), lognormal(900.0, 1.5, 16384),
        geometric(64.0, 4096),
        LengthSpec{.kind = LengthKind::uniform, .minimum = 1, .maximum = 5000}}) {
    const LengthDistribution lengths(spec);
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t word = words();
      ASSERT_EQ(lengths.sample(word), lengths.evaluate(word)) << word;
    }
  }
}

// Weights 1 : 2 : 1 on 10, 20 and 400 tokens: quarters of the words, the last cut at 300.
TEST(LengthDistribution, DrawsAHistogramByItsWeights) {
  LengthSpec spec;
  spec.kind = LengthKind::empirical;
  spec.values = {{10, 1.0}, {15, 0.0}, {20, 2.0}, {400, 1.0}};
  spec.limit = 300;
  const LengthDistribution lengths(spec);
  constexpr std::uint64_t kQuarter = std::uint64_t{1} << 62U;
  for (const std::uint64_t quarter : {0U, 1U, 2U, 3U}) {
    const std::uint32_t expected = quarter == 0 ? 10U : quarter == 3 ? 300U : 20U;
    EXPECT_EQ(lengths.sample(quarter * kQuarter), expected);
    EXPECT_EQ(lengths.sample(quarter * kQuarter + (kQuarter - 1)), expected);
  }
  EXPECT_NEAR(lengths.mean(), (10.0 + 2.0 * 20.0 + 300.0) / 4.0, 1e-9);
}

// A gamma length of variation 1 is exponential: P(length > n) = exp(-(n + 1/2) / mean).
TEST(LengthDistribution, OfGammaKindHasItsMeanAndTail) {
  LengthSpec spec;
  spec.kind = LengthKind::gamma;
  spec.mean = 200.0;
  spec.cv = 1.0;
  const LengthDistribution lengths(spec);
  EXPECT_NEAR(lengths.mean(), 200.0, 1.0);
  constexpr double kWords = 18446744073709551616.0;
  const double above = std::exp(-400.5 / 200.0);
  EXPECT_GT(lengths.sample(static_cast<std::uint64_t>(kWords * (1.0 - 0.999 * above))), 400U);
  EXPECT_LE(lengths.sample(static_cast<std::uint64_t>(kWords * (1.0 - 1.001 * above))), 400U);
}

TEST(LengthDistribution, IsMonotoneInTheWord) {
  const LengthDistribution lengths(lognormal(64.0, 0.5, 256));
  std::uint32_t last = 0;
  for (std::uint64_t i = 0; i < 65536; ++i) {
    const std::uint32_t length = lengths.sample(i << 48U);
    ASSERT_GE(length, last);
    last = length;
  }
}

}  // namespace
}  // namespace specroute::models
