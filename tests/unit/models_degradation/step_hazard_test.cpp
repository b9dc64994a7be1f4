#include "models/degradation/step_hazard.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace specroute::models {
namespace {

// gamma = 2: no acceptance emits a correction; one, itself and a correction; two, both and a bonus.
TEST(EmittedTokens, AreAcceptedPlusOne) {
  for (int gamma = 0; gamma <= kMaxDraftTokens; ++gamma)
    for (int accepted = 0; accepted <= gamma; ++accepted) {
      const auto tokens = emitted_tokens(accepted, gamma);
      EXPECT_EQ(tokens.verified + tokens.bonus, accepted + 1);
      EXPECT_EQ(tokens.bonus, accepted == gamma ? 1 : 0);
    }
}

TEST(EmittedTokens, AreOneBonusWithoutADraft) {
  EXPECT_EQ(emitted_tokens(0, 0).verified, 0);
  EXPECT_EQ(emitted_tokens(0, 0).bonus, 1);
}

// h_v = 1/2, h_b = 1/4: survival of two verified and one bonus is 1/4 x 3/4 = 3/16.
TEST(StepProbability, IsOneLessTheProductOfSurvivals) {
  EXPECT_NEAR(step_probability({0.5, 0.25}, {2, 1}), 13.0 / 16, 1e-15);
  EXPECT_EQ(step_probability({0.5, 0.25}, {0, 0}), 0.0);
  EXPECT_EQ(step_probability({1.0, 0.0}, {1, 0}), 1.0);
  EXPECT_EQ(step_probability({1.0, 0.0}, {0, 1}), 0.0);
}

// 1 - (1 - h)^3 = 3 h - 3 h^2 + h^3; at h = 1e-12 a subtraction from 1 would keep four digits.
TEST(StepProbability, KeepsItsDigitsAtSmallHazards) {
  const double h = 1e-12;
  EXPECT_NEAR(step_probability({h, h}, {2, 1}) / (3.0 * h - 3.0 * h * h), 1.0, 1e-14);
}

TEST(StepThresholds, AreIndexedByTheAcceptedCount) {
  const StepHazard hazard{0.5, 0.25};
  const auto thresholds = step_thresholds(hazard, 2);
  EXPECT_NEAR(probability_from_threshold(thresholds[0]), 0.5, 1e-9);
  EXPECT_NEAR(probability_from_threshold(thresholds[1]), 0.75, 1e-9);
  EXPECT_NEAR(probability_from_threshold(thresholds[2]), 13.0 / 16, 1e-9);
  EXPECT_EQ(thresholds[3], 0U);
}

// 1 - (1 - .5)(1 - .2) = .6.
TEST(Either, CombinesIndependentCauses) {
  const auto both = either({0.5, 0.0}, {0.2, 0.1});
  EXPECT_NEAR(both.verified, 0.6, 1e-15);
  EXPECT_NEAR(both.bonus, 0.1, 1e-15);
}

}  // namespace
}  // namespace specroute::models
