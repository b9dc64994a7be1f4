#include "sim/sweep/design.hpp"

#include <gtest/gtest.h>

#include <set>

namespace specroute::sim {
namespace {

SweepField field(double from, double to, std::size_t steps) {
  return {.pointer = "/x", .name = "x", .values = {}, .range = {from, to, steps}};
}

TEST(Grid, HasEveryCombinationTheLastFieldFastest) {
  const auto points = grid({field(0, 1, 2), field(10, 30, 3)});
  ASSERT_EQ(points.size(), 6U);
  EXPECT_EQ(points[0][0].real, 0.0);
  EXPECT_EQ(points[0][1].real, 10.0);
  EXPECT_EQ(points[1][1].real, 20.0);
  EXPECT_EQ(points[3][0].real, 1.0);
  EXPECT_EQ(points[3][1].real, 10.0);
}

TEST(Grid, OfNoFieldIsTheScenarioItself) {
  EXPECT_EQ(grid({}).size(), 1U);
}

TEST(LatinHypercube, VisitsEachPartOfEachFieldOnce) {
  const auto points = latin_hypercube({field(0, 20, 1), field(100, 120, 1)}, 20, 1);
  ASSERT_EQ(points.size(), 20U);
  std::set<int> first;
  std::set<int> second;
  for (const SweepPoint& point : points) {
    first.insert(static_cast<int>(point[0].real));
    second.insert(static_cast<int>(point[1].real) - 100);
  }
  EXPECT_EQ(first.size(), 20U);
  EXPECT_EQ(second.size(), 20U);
}

TEST(LatinHypercube, FollowsItsSeedAndPermutesFieldsIndependently) {
  const std::vector<SweepField> fields = {field(0, 1, 1), field(0, 1, 1)};
  const auto points = latin_hypercube(fields, 10, 1);
  const auto again = latin_hypercube(fields, 10, 1);
  const auto other = latin_hypercube(fields, 10, 2);
  std::size_t same_fields = 0;
  std::size_t same_seeds = 0;
  for (std::size_t p = 0; p < 10; ++p) {
    EXPECT_EQ(points[p][0].real, again[p][0].real);
    same_fields += points[p][0].real == points[p][1].real;
    same_seeds += points[p][0].real == other[p][0].real;
  }
  EXPECT_EQ(same_fields, 0U);
  EXPECT_EQ(same_seeds, 0U);
}

}  // namespace
}  // namespace specroute::sim
