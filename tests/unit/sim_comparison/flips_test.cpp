#include "sim/comparison/flips.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

TEST(Flips, OfARunAgainstItselfAreNone) {
  const Outcomes run{.arrived = 10, .degraded = {2, 3}, .unserved = {7}};
  const FlipTable table = flips_between(run, run);
  EXPECT_EQ(table.both_clean, 7U);
  EXPECT_EQ(table.both_degraded, 2U);
  EXPECT_EQ(table.served_never, 1U);
  EXPECT_EQ(table.became_degraded + table.became_clean + table.served_once, 0U);
  EXPECT_FALSE(table.first_difference);
}

TEST(Flips, SortEachRequestIntoOneCell) {
  const Outcomes none{.arrived = 10, .degraded = {2, 3, 4, 9}, .unserved = {7, 8}};
  const Outcomes gate{.arrived = 10, .degraded = {1, 3, 8}, .unserved = {4, 7}};
  const FlipTable table = flips_between(none, gate);
  EXPECT_EQ(table.both_clean, 3U);       // 0, 5, 6
  EXPECT_EQ(table.both_degraded, 1U);    // 3
  EXPECT_EQ(table.became_degraded, 1U);  // 1
  EXPECT_EQ(table.became_clean, 2U);     // 2, 9
  EXPECT_EQ(table.served_once, 2U);      // 4 and 8
  EXPECT_EQ(table.served_never, 1U);     // 7
  EXPECT_EQ(table.first_difference, 1U);
}

TEST(Flips, CountRequestsOfOneRunAloneAsServedOnce) {
  const FlipTable table = flips_between({.arrived = 4, .degraded = {}, .unserved = {}},
                                        {.arrived = 6, .degraded = {5}, .unserved = {}});
  EXPECT_EQ(table.both_clean, 4U);
  EXPECT_EQ(table.served_once, 2U);
  EXPECT_EQ(table.first_difference, 4U);
}

TEST(Flips, AddUpOverSeedsAndKeepTheFirstDifferenceOfTheFirst) {
  FlipTable sum = flips_between({.arrived = 3, .degraded = {}, .unserved = {}},
                                {.arrived = 3, .degraded = {2}, .unserved = {}});
  sum += flips_between({.arrived = 3, .degraded = {0}, .unserved = {}},
                       {.arrived = 3, .degraded = {}, .unserved = {}});
  EXPECT_EQ(sum.both_clean, 4U);
  EXPECT_EQ(sum.became_degraded, 1U);
  EXPECT_EQ(sum.became_clean, 1U);
  EXPECT_EQ(sum.first_difference, 2U);
}

}  // namespace
}  // namespace specroute::sim
