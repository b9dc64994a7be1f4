#include "sim/json/nearest.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

// One insertion, one deletion, one substitution and one swap of neighbours each cost 1.
TEST(EditDistance, CountsEachOfItsFourEditsAsOne) {
  EXPECT_EQ(edit_distance("pool", "pools"), 1U);
  EXPECT_EQ(edit_distance("pools", "pool"), 1U);
  EXPECT_EQ(edit_distance("pool", "poll"), 1U);
  EXPECT_EQ(edit_distance("pool", "polo"), 1U);
}

// kitten -> sitten -> sittin -> sitting.
TEST(EditDistance, AddsUpOverAWord) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(EditDistance, OfAnEmptyWordIsTheLengthOfTheOther) {
  EXPECT_EQ(edit_distance("", "rack"), 4U);
  EXPECT_EQ(edit_distance("rack", ""), 4U);
  EXPECT_EQ(edit_distance("", ""), 0U);
}

TEST(EditDistance, IgnoresCase) {
  EXPECT_EQ(edit_distance("h100-sxm-80", "H100-SXM-80"), 0U);
}

TEST(NearestOf, PrefersTheLeastDistance) {
  EXPECT_EQ(nearest_of("draft-a1", {"draft-b1", "draft-a11", "draft-a1x2"}), "draft-b1");
  EXPECT_EQ(nearest_of("draft-a11", {"draft-b1", "draft-a12"}), "draft-a12");
}

TEST(NearestOf, KeepsTheFirstOfEquals) {
  EXPECT_EQ(nearest_of("rock", {"rick", "rack"}), "rick");
}

// distance("plane", "plain") = 2, and 2 > 5/3.
TEST(NearestOf, IsSilentBeyondAThirdOfTheLength) {
  EXPECT_EQ(nearest_of("plane", {"plain"}), "");
  EXPECT_EQ(nearest_of("colour", {"title", "why"}), "");
  EXPECT_EQ(nearest_of("colour", {}), "");
}

TEST(NearestOf, CompletesTheBeginningOfAWord) {
  EXPECT_EQ(nearest_of("exact", {"rejection", "exact_match"}), "exact_match");
}

}  // namespace
}  // namespace specroute::sim
