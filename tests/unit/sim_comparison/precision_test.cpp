#include "sim/comparison/precision.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

models::Interval interval(std::size_t count, double mean, double half_width) {
  return {.count = count, .mean = mean, .deviation = 1.0, .half_width = half_width};
}

TEST(Precision, AsksForAShareOfTheMean) {
  EXPECT_TRUE(tight_enough(interval(8, 100.0, 5.0), 0.05));
  EXPECT_FALSE(tight_enough(interval(8, 100.0, 5.1), 0.05));
  EXPECT_TRUE(tight_enough(interval(8, -100.0, 5.0), 0.05));
  EXPECT_TRUE(tight_enough(interval(8, 0.0, 0.0), 0.05));
  EXPECT_FALSE(tight_enough(interval(8, 0.0, 0.1), 0.05));
}

TEST(Precision, BelievesNoFewerThanFiveSeeds) {
  EXPECT_FALSE(tight_enough(interval(4, 100.0, 0.0), 0.05));
  EXPECT_EQ(seeds_wanted(interval(4, 100.0, 0.0), 0.05), 5U);
  EXPECT_EQ(seeds_wanted(
                models::Interval{.count = 1, .mean = 1.0, .deviation = {}, .half_width = {}}, 0.05),
            5U);
}

// A half-width of 1.2 times what is wanted needs 1.44 times the seeds.
TEST(Precision, GrowsWithTheSquareAndNoMoreThanTwice) {
  EXPECT_EQ(seeds_wanted(interval(10, 100.0, 6.0), 0.05), 15U);
  EXPECT_EQ(seeds_wanted(interval(10, 100.0, 50.0), 0.05), 20U);
  EXPECT_EQ(seeds_wanted(interval(10, 0.0, 1.0), 0.05), 20U);
  EXPECT_EQ(seeds_wanted(interval(10, 100.0, 5.01), 0.05), 11U);
  EXPECT_FALSE(seeds_wanted(interval(10, 100.0, 5.0), 0.05));
}

}  // namespace
}  // namespace specroute::sim
