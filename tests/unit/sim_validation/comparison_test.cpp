#include "sim/validation/comparison.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace specroute::sim::validation {
namespace {

Comparison row(double ours, double theirs, Standing standing = Standing::predicted) {
  return {.group = {.system = "l4", .engine = "vllm"},
          .quantity = "TPOT",
          .unit = "ms",
          .ours = ours,
          .theirs = theirs,
          .place = "a.csv:" + std::to_string(static_cast<int>(theirs)),
          .standing = standing};
}

// Errors +10 %, -20 % and +10 %: mean of magnitudes 40/3 %, bias 0, worst the second.
TEST(GroupErrors, AreMeansOfRelativeErrors) {
  const std::vector<Comparison> rows = {row(11, 10), row(16, 20), row(33, 30)};
  const auto errors = group_errors(rows);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].count, 3U);
  EXPECT_NEAR(errors[0].mean_absolute, 0.4 / 3.0, 1e-15);
  EXPECT_NEAR(errors[0].bias, 0.0, 1e-15);
  EXPECT_NEAR(errors[0].worst, -0.2, 1e-15);
  EXPECT_EQ(errors[0].worst_place, "a.csv:20");
  EXPECT_EQ(errors[0].worst_difference, 4.0);
}

TEST(GroupErrors, KeepStandingsApart) {
  const std::vector<Comparison> rows = {row(11, 10, Standing::fitted), row(20, 10),
                                        row(10, 10, Standing::fitted)};
  const auto errors = group_errors(rows);
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_NEAR(errors[0].mean_absolute, 0.05, 1e-15);
  EXPECT_NEAR(errors[1].mean_absolute, 1.0, 1e-15);
  EXPECT_EQ(overall_error(rows, "TPOT", Standing::predicted)->count, 1U);
  EXPECT_FALSE(overall_error(rows, "TPOT", Standing::held_out).has_value());
  EXPECT_FALSE(overall_error(rows, "TTFT", Standing::fitted).has_value());
}

TEST(GroupText, LeavesOutWhatDoesNotApply) {
  EXPECT_EQ(to_string(Group{.system = "l4", .engine = {}, .model = "m", .precision = "fp8"}),
            "l4 m fp8");
  EXPECT_EQ(to_string(Group{}), "all");
}

TEST(Bound, IsMetUpToItsLimitAndNeverByNoNumber) {
  Bound bound{.name = "x", .statistic = "MAPE", .measured = 0.05, .limit = 0.05};
  EXPECT_TRUE(bound.met());
  bound.measured = 0.0500001;
  EXPECT_FALSE(bound.met());
  bound.direction = Direction::at_least;
  EXPECT_TRUE(bound.met());
  bound.measured = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(bound.met());
  bound.direction = Direction::at_most;
  EXPECT_FALSE(bound.met());
}

}  // namespace
}  // namespace specroute::sim::validation
