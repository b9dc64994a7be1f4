/// @file
/// Student's interval.
#include <gtest/gtest.h>

#include <boost/math/distributions/students_t.hpp>
#include <vector>

#include "models/statistics/interval.hpp"

namespace specroute::models {
namespace {

TEST(StudentCriticalValue, IsBoostsQuantileForOneToAThousandDegrees) {
  for (std::size_t degrees = 1; degrees <= 1000; ++degrees) {
    const boost::math::students_t_distribution<double> student(static_cast<double>(degrees));
    const double expected = boost::math::quantile(student, 0.975);
    EXPECT_NEAR(student_critical_value(degrees) / expected, 1.0, 1e-10) << degrees;
  }
}

TEST(StudentCriticalValue, FallsTowardsTheNormalOne) {
  EXPECT_NEAR(student_critical_value(1'000'000'000), 1.959963984540054, 1e-8);
}

// {1, 2, 3, 4}: mean 2.5; squares 2.25 + 0.25 + 0.25 + 2.25 = 5, deviation sqrt(5 / 3) = 1.290994;
// t(3) = 3.182446; half width 3.182446 * 1.290994 / 2 = 2.054260.
TEST(StudentInterval, IsTheTextbookOneForFourValues) {
  const Interval interval = student_interval(std::vector<double>{1.0, 2.0, 3.0, 4.0});
  EXPECT_EQ(interval.count, 4U);
  EXPECT_DOUBLE_EQ(*interval.mean, 2.5);
  EXPECT_NEAR(*interval.deviation, 1.290994, 1e-6);
  EXPECT_NEAR(*interval.half_width, 2.054260, 1e-6);
  EXPECT_TRUE(interval.covers(0.5));
  EXPECT_FALSE(interval.covers(0.4));
}

TEST(StudentInterval, IsAbsentBelowTwoValues) {
  EXPECT_FALSE(student_interval({}).mean.has_value());
  const Interval one = student_interval(std::vector<double>{7.0});
  EXPECT_DOUBLE_EQ(*one.mean, 7.0);
  EXPECT_FALSE(one.deviation.has_value());
  EXPECT_FALSE(one.half_width.has_value());
  EXPECT_FALSE(one.covers(7.0));
}

// Policy A against policy A: differences of exactly 0 give an interval of exactly [0, 0].
TEST(StudentInterval, OfEqualPairsIsExactlyZero) {
  const Interval interval = student_interval(std::vector<double>(5, 0.0));
  EXPECT_EQ(*interval.half_width, 0.0);
  EXPECT_TRUE(interval.covers(0.0));
}

TEST(StudentInterval, KeepsASmallSpreadOnALargeMean) {
  const Interval interval = student_interval(std::vector<double>{1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0});
  EXPECT_DOUBLE_EQ(*interval.deviation, 1.0);
}

}  // namespace
}  // namespace specroute::models
