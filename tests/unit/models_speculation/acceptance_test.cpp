#include "models/speculation/acceptance.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace specroute::models {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

// alpha = 1/2, gamma = 2: (1/2 + 1/4) / 2 = 3/8.
TEST(AcceptedRate, IsTheMeanOfTheUnconditionals) {
  EXPECT_DOUBLE_EQ(rate_from_alpha(0.5, 2), 0.375);
  EXPECT_DOUBLE_EQ(accepted_rate(std::vector<double>{0.5, 0.4}), 0.35);  // (.5 + .2) / 2
}

// a + a^2 = 2 r: a = (sqrt(1 + 8 r) - 1) / 2. The incident's .41 and .94 are .534 and .959.
TEST(AlphaFromRate, SolvesTheQuadraticOfTwoDraftTokens) {
  for (const double rate : {0.0, 0.05, 0.41, 0.43, 0.94, 1.0})
    EXPECT_NEAR(alpha_from_rate(rate, 2), (std::sqrt(1.0 + 8.0 * rate) - 1.0) / 2.0, 1e-14) << rate;
  EXPECT_NEAR(alpha_from_rate(0.41, 2), 0.534, 5e-4);
  EXPECT_NEAR(alpha_from_rate(0.94, 2), 0.959, 5e-4);
}

TEST(AlphaFromRate, InvertsTheRateAtEveryDraftLength) {
  for (int gamma = 1; gamma <= kMaxDraftTokens; ++gamma)
    for (const double alpha : {0.0, 0.2, 0.534, 0.9, 1.0})
      EXPECT_NEAR(alpha_from_rate(rate_from_alpha(alpha, gamma), gamma), alpha, 1e-13) << gamma;
}

// a = 1/2, k = 2: 1 + 1/2 + 1/4 = 1.75 tokens per verification.
TEST(MeanAcceptanceLength, IsGeometricSum) {
  EXPECT_DOUBLE_EQ(mean_acceptance_length(iid_shape(0.5, 2)), 1.75);
  EXPECT_DOUBLE_EQ(mean_acceptance_length(iid_shape(1.0, 7)), 8.0);
  EXPECT_DOUBLE_EQ(mean_acceptance_length({}), 1.0);  // no draft: the bonus alone
  const double closed = (1.0 - std::pow(0.7, 6.0)) / (1.0 - 0.7);
  EXPECT_NEAR(mean_acceptance_length(iid_shape(0.7, 5)), closed, 1e-14);
}

// vLLM pull request 48892: .7617 .6158 .5125 .4243 .3640 .3094 .2722 .2365 gives AL 4.50, and the
// conditionals .76 .81 .83 .83 .86 .85 .88 .87 rise.
TEST(ConditionalShape, ReadsAPublishedUnconditionalVector) {
  const std::vector<double> published = {.7617, .6158, .5125, .4243, .3640, .3094, .2722, .2365};
  const auto shape = conditional_shape(published);
  EXPECT_THAT(shape, Pointwise(DoubleNear(5e-3), {.76, .81, .83, .83, .86, .85, .88, .87}));
  EXPECT_NEAR(mean_acceptance_length(shape), 4.50, 5e-3);
}

// vLLM's own example: 3.4 of 5 is 1, 1, .4, 0, 0.
TEST(RatesFromLength, AreTheScheduleOfLeastVariance) {
  EXPECT_THAT(rates_from_length(3.4, 5), Pointwise(DoubleNear(1e-15), {1.0, 1.0, 0.4, 0.0, 0.0}));
  EXPECT_THAT(rates_from_length(1.0, 2), Pointwise(DoubleNear(0.0), {0.0, 0.0}));
  EXPECT_THAT(rates_from_length(3.0, 2), Pointwise(DoubleNear(0.0), {1.0, 1.0}));
  EXPECT_NEAR(mean_acceptance_length(conditional_shape(rates_from_length(3.4, 5))), 3.4, 1e-15);
}

// U = (.7, .4, .1): of 1 + .7 + .4 verified tokens, .7 + .4 + .1 are accepted.
TEST(AcceptedShare, CountsOnlyWhatIsVerified) {
  EXPECT_NEAR(accepted_share(conditional_shape(std::vector{0.7, 0.4, 0.1})), 1.2 / 2.1, 1e-15);
  EXPECT_NEAR(accepted_share(iid_shape(0.6, 5)), 0.6, 1e-15);
}

TEST(ExtendedShape, RepeatsTheLastConditionalOrDropsIt) {
  EXPECT_EQ(extended_shape(std::vector{0.8, 0.7}, 4), (std::vector{0.8, 0.7, 0.7, 0.7}));
  EXPECT_EQ(extended_shape(std::vector{0.8, 0.7}, 1), (std::vector{0.8}));
}

// i.i.d. positions go from alpha to alpha; a shape goes as the power that takes .5 to .25 does.
TEST(ShapeAtLevel, MovesEveryPositionByOnePower) {
  EXPECT_NEAR(shape_at_level(iid_shape(0.5, 3), 0.5, 0.8)[2], 0.8, 1e-15);
  const auto moved = shape_at_level(std::vector{0.9, 0.6}, 0.5, 0.25);
  EXPECT_NEAR(moved[0], 0.81, 1e-15);
  EXPECT_NEAR(moved[1], 0.36, 1e-15);
  EXPECT_EQ(shape_at_level(std::vector{0.9, 0.6}, 0.5, 0.5), (std::vector{0.9, 0.6}));
  EXPECT_EQ(shape_at_level(std::vector{0.9, 0.6}, 0.5, 0.0), (std::vector{0.0, 0.0}));
  EXPECT_EQ(shape_at_level(std::vector{0.9, 0.6}, 0.5, 1.0), (std::vector{1.0, 1.0}));
}

TEST(ShapeWithRate, MovesTheLevelAndKeepsTheForm) {
  const std::vector<double> shape = {0.76, 0.81, 0.83};
  const auto moved = shape_with_rate(shape, 0.7);
  EXPECT_NEAR(accepted_rate(moved), 0.7, 1e-12);
  const double power = std::log(moved[0]) / std::log(shape[0]);
  for (std::size_t k = 0; k < shape.size(); ++k)
    EXPECT_NEAR(moved[k], std::pow(shape[k], power), 1e-12);
}

// gamma = 2, alpha = 1/2: P(0) = 1/2, P(1) = 1/4, P(2) = 1/4.
TEST(AcceptedDistribution, IsATruncatedGeometric) {
  EXPECT_THAT(accepted_distribution(iid_shape(0.5, 2)),
              Pointwise(DoubleNear(1e-15), {0.5, 0.25, 0.25}));
}

TEST(AcceptedDistribution, HasTheMeanThatTheRateSays) {
  const std::vector<double> shape = {0.9, 0.7, 0.8, 0.3};
  const auto distribution = accepted_distribution(shape);
  double mean = 0.0;
  for (std::size_t k = 0; k < distribution.size(); ++k)
    mean += static_cast<double>(k) * distribution[k];
  EXPECT_NEAR(std::accumulate(distribution.begin(), distribution.end(), 0.0), 1.0, 1e-15);
  EXPECT_NEAR(mean, 4.0 * accepted_rate(shape), 1e-15);
}

TEST(AcceptedThresholds, AreExactAtTheEnds) {
  const auto never = accepted_thresholds(iid_shape(0.0, 3));
  const auto always = accepted_thresholds(iid_shape(1.0, 3));
  for (const std::uint32_t word : {0U, 12345U, 0xffffffffU}) {
    EXPECT_EQ(accepted_count(never, word), 0);
    EXPECT_EQ(accepted_count(always, word), 3);
  }
  EXPECT_EQ(accepted_count(accepted_thresholds({}), 0U), 0);
}

// Words on a grid of 2^16 equal steps meet each U_k as often as it says, to a step.
TEST(AcceptedThresholds, GiveTheDistributionOverTheWords) {
  const std::vector<double> shape = {0.8, 0.6, 0.9};
  const auto thresholds = accepted_thresholds(shape);
  std::vector<double> counted(4, 0.0);
  for (std::uint32_t i = 0; i < 65536; ++i)
    counted[static_cast<std::size_t>(accepted_count(thresholds, (i << 16U) + 32768U))] +=
        1.0 / 65536;
  EXPECT_THAT(counted, Pointwise(DoubleNear(2.0 / 65536), accepted_distribution(shape)));
}

}  // namespace
}  // namespace specroute::models
