#include "sim/experiment/comparison.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

using Values = std::vector<std::optional<double>>;

GateSummary gate(const std::string& label, const Values& degraded, const Values& goodput) {
  return {.label = label,
          .metrics = {{"degraded_completions", degraded, {}}, {"goodput_rps", goodput, {}}}};
}

TEST(CompareGates, TakesTheReferenceFromEveryOtherSeedBySeed) {
  const auto found = compare_gates(
      {gate("none", {100.0, 120.0}, {50.0, 60.0}), gate("validity", {4.0, 6.0}, {49.0, 59.0})},
      "none");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].label, "validity");
  EXPECT_EQ(found[0].reference, "none");
  ASSERT_EQ(found[0].metrics.size(), 2U);
  EXPECT_EQ(found[0].metrics[0].difference.student.mean, -105.0);  // -96 and -114
  EXPECT_EQ(found[0].metrics[1].difference.student.mean, -1.0);
  EXPECT_EQ(found[0].metrics[1].difference.student.half_width, 0.0);
}

TEST(CompareGates, IsExactlyZeroForEqualGates) {
  const auto found = compare_gates(
      {gate("a", {7.0, 9.0, 8.0}, {1.0, 2.0, 3.0}), gate("b", {7.0, 9.0, 8.0}, {1.0, 2.0, 3.0})},
      "a");
  for (const MetricDifference& metric : found[0].metrics) {
    EXPECT_EQ(metric.difference.student.mean, 0.0);
    EXPECT_EQ(metric.difference.student.half_width, 0.0);
  }
}

TEST(CompareGates, LeavesOutSeedsToWhichAMetricDoesNotApply) {
  const auto found = compare_gates({gate("a", {1.0, std::nullopt, 3.0}, {std::nullopt, 1.0, 1.0}),
                                    gate("b", {2.0, 5.0, 5.0}, {1.0, std::nullopt, std::nullopt})},
                                   "a");
  ASSERT_EQ(found[0].metrics.size(), 1U);
  EXPECT_EQ(found[0].metrics[0].difference.student.count, 2U);
  EXPECT_EQ(found[0].metrics[0].difference.student.mean, 1.5);
}

}  // namespace
}  // namespace specroute::sim
