#include "sim/comparison/paired_interval.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace specroute::sim {
namespace {

TEST(PairedInterval, OfEqualRunsIsExactlyZero) {
  const auto interval = paired_interval(std::vector<double>(20, 0.0));
  EXPECT_EQ(interval.student.mean, 0.0);
  EXPECT_EQ(interval.student.half_width, 0.0);
  ASSERT_TRUE(interval.bootstrap);
  EXPECT_EQ(interval.bootstrap->first, 0.0);
  EXPECT_EQ(interval.bootstrap->second, 0.0);
}

TEST(PairedInterval, DoesNotResampleAHandful) {
  EXPECT_FALSE(paired_interval(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}).bootstrap);
  EXPECT_TRUE(paired_interval(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}).bootstrap);
}

// 200 values 0..199: mean 99.5, standard error 57.73 / sqrt(200) = 4.082 with the n-divisor that
// resampling uses, so the interval is 99.5 -+ 1.96 * 4.082 = [91.5, 107.5].
TEST(PairedInterval, ResamplesToTheWidthOfTheNormalLimit) {
  std::vector<double> differences;
  for (int i = 0; i < 200; ++i) differences.push_back(i);
  const auto interval = paired_interval(differences);
  ASSERT_TRUE(interval.bootstrap);
  EXPECT_NEAR(interval.bootstrap->first, 91.5, 0.6);
  EXPECT_NEAR(interval.bootstrap->second, 107.5, 0.6);
}

TEST(PairedInterval, IsTheSameForTheSameDifferences) {
  const std::vector<double> differences = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
  EXPECT_EQ(paired_interval(differences).bootstrap, paired_interval(differences).bootstrap);
}

// One seed in twelve with a lone 12: resamples miss it with (11/12)^12 = 35 %, so the lower end is
// 0 though Student's is below it, and no resample is negative.
TEST(PairedInterval, LeavesTheRangeOfTheDataOnlyToStudent) {
  std::vector<double> differences(12, 0.0);
  differences[3] = 12.0;
  const auto interval = paired_interval(differences);
  ASSERT_TRUE(interval.bootstrap);
  EXPECT_EQ(interval.bootstrap->first, 0.0);
  EXPECT_EQ(interval.bootstrap->second, 3.0);
  EXPECT_LT(*interval.student.mean - *interval.student.half_width, 0.0);
}

}  // namespace
}  // namespace specroute::sim
