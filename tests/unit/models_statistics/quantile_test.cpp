/// @file
/// Streaming quantiles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "models/statistics/quantile.hpp"

namespace specroute::models {
namespace {

constexpr double kProbabilities[] = {0.0, 0.001, 0.01, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999, 1.0};

/// Values from 1e-4 to 1e2 in a scrambled order (a Weyl sequence: no two alike).
std::vector<double> scrambled(std::size_t count) {
  std::vector<double> values;
  std::uint64_t state = 0;
  for (std::size_t i = 0; i < count; ++i) {
    state += 0x9e37'79b9'7f4a'7c15U;
    values.push_back(std::pow(10.0, -4.0 + 6.0 * static_cast<double>(state >> 11U) * 0x1p-53));
  }
  return values;
}

QuantileSketch sketch_of(const std::vector<double>& values) {
  QuantileSketch sketch;
  for (const double value : values) sketch.add(value);
  return sketch;
}

double reference(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  const double rank = static_cast<double>(values.size() - 1) * p;
  const auto low = static_cast<std::size_t>(rank);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (rank - static_cast<double>(low)) * (values[high] - values[low]);
}

TEST(QuantileSketch, IsSilentWhenEmpty) {
  const QuantileSketch sketch;
  EXPECT_FALSE(sketch.quantile(0.5).has_value());
  EXPECT_FALSE(sketch.mean().has_value());
  EXPECT_FALSE(sketch.least().has_value());
  EXPECT_FALSE(sketch.greatest().has_value());
}

// {10, 20, 30, 40}: rank 3 * 0.5 = 1.5 lies between 20 and 30; rank 3 * 0.95 = 2.85.
TEST(QuantileSketch, InterpolatesBetweenTwoRanks) {
  const QuantileSketch sketch = sketch_of({40.0, 10.0, 30.0, 20.0});
  EXPECT_DOUBLE_EQ(*sketch.quantile(0.5), 25.0);
  EXPECT_DOUBLE_EQ(*sketch.quantile(0.95), 38.5);
  EXPECT_DOUBLE_EQ(*sketch.quantile(0.0), 10.0);
  EXPECT_DOUBLE_EQ(*sketch.quantile(1.0), 40.0);
  EXPECT_DOUBLE_EQ(*sketch.mean(), 25.0);
}

TEST(QuantileSketch, IsExactUpToItsExactCount) {
  const std::vector<double> values = scrambled(QuantileSketch::kExactCount);
  const QuantileSketch sketch = sketch_of(values);
  EXPECT_TRUE(sketch.exact());
  for (const double p : kProbabilities) EXPECT_EQ(*sketch.quantile(p), reference(values, p)) << p;
}

TEST(QuantileSketch, KeepsItsRelativeErrorBeyond) {
  const std::vector<double> values = scrambled(200'000);
  const QuantileSketch sketch = sketch_of(values);
  EXPECT_FALSE(sketch.exact());
  for (const double p : kProbabilities) {
    const double expected = reference(values, p);
    EXPECT_NEAR(*sketch.quantile(p) / expected, 1.0, QuantileSketch::kRelativeError) << p;
  }
}

// Lower ends of buckets are the worst case: the middle is 1/256 above 1, exactly.
TEST(QuantileSketch, ErrsByExactlyItsBoundAtTheStartOfAnOctave) {
  QuantileSketch sketch;
  sketch.add(0.5);
  for (int i = 0; i < 10'000; ++i) sketch.add(1.0);
  sketch.add(2.0);
  EXPECT_DOUBLE_EQ(*sketch.quantile(0.5), 1.0 + 1.0 / 256.0);
}

TEST(QuantileSketch, ForgetsTheOrderAndTheParting) {
  const std::vector<double> values = scrambled(30'000);
  const QuantileSketch whole = sketch_of(values);
  std::vector<double> backwards(values.rbegin(), values.rend());
  const QuantileSketch reversed = sketch_of(backwards);
  // 100 exact values, 3,900 exact ones, and 26,000 in buckets, merged in both directions.
  const QuantileSketch small = sketch_of({values.begin(), values.begin() + 100});
  const QuantileSketch middle = sketch_of({values.begin() + 100, values.begin() + 4000});
  const QuantileSketch large = sketch_of({values.begin() + 4000, values.end()});
  QuantileSketch up = small;
  up.merge(middle);
  EXPECT_TRUE(up.exact());
  up.merge(large);
  QuantileSketch down = large;
  down.merge(middle);
  down.merge(small);
  for (const double p : kProbabilities) {
    EXPECT_EQ(whole.quantile(p), reversed.quantile(p)) << p;
    EXPECT_EQ(whole.quantile(p), up.quantile(p)) << p;
    EXPECT_EQ(whole.quantile(p), down.quantile(p)) << p;
  }
  EXPECT_EQ(up.count(), whole.count());
  EXPECT_EQ(down.least(), whole.least());
  EXPECT_EQ(down.greatest(), whole.greatest());
}

TEST(QuantileSketch, MergesWithItselfAndWithNothing) {
  QuantileSketch sketch = sketch_of({1.0, 3.0});
  sketch.merge(QuantileSketch{});
  sketch.merge(sketch);
  EXPECT_EQ(sketch.count(), 4U);
  EXPECT_DOUBLE_EQ(sketch.sum(), 8.0);
  EXPECT_DOUBLE_EQ(*sketch.quantile(0.5), 2.0);
}

// Outside [2^-30, 2^30) a value is reported as an extreme, and nothing is lost.
TEST(QuantileSketch, CountsWhatLiesOutsideItsRange) {
  QuantileSketch sketch;
  for (int i = 0; i < 3000; ++i) {
    sketch.add(0.0);
    sketch.add(5.0);
    sketch.add(1e300);
  }
  EXPECT_EQ(sketch.count(), 9000U);
  EXPECT_EQ(*sketch.quantile(0.1), 0.0);
  EXPECT_NEAR(*sketch.quantile(0.5), 5.0, 5.0 * QuantileSketch::kRelativeError);
  EXPECT_EQ(*sketch.quantile(0.9), 1e300);
}

TEST(QuantileSketchDeathTest, RefusesWhatIsNoMeasurement) {
  QuantileSketch sketch;
  EXPECT_DEATH(sketch.add(-1.0), "finite and not negative");
  EXPECT_DEATH(sketch.add(std::nan("")), "finite and not negative");
  EXPECT_DEATH(sketch.add(HUGE_VAL), "finite and not negative");
}

}  // namespace
}  // namespace specroute::models
