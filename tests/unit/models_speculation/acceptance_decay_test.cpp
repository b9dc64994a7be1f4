#include "models/speculation/acceptance_decay.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "models/speculation/acceptance.hpp"

namespace specroute::models {
namespace {

using Of = ContextDecay::Of;

// speculators pull request 684: EAGLE-3 whose window is ignored, at 2k, 4k, ... 20k tokens.
ContextDecay published() {
  ContextDecay decay{Of::mean_acceptance_length, {}};
  double context = 0.0;
  for (const double length : {2.295, 2.040, 1.863, 1.687, 1.400, 1.289, 1.161, 1.090, 1.092, 1.084})
    decay.points.push_back({context += 2000.0, length});
  return decay;
}

TEST(DecayFactor, IsLinearBetweenPointsAndConstantBeyondThem) {
  const ContextDecay decay{Of::alpha, {{1000.0, 0.8}, {3000.0, 0.4}}};
  EXPECT_EQ(decay_factor(decay, 0.0), 1.0);
  EXPECT_EQ(decay_factor(decay, 1000.0), 1.0);
  EXPECT_DOUBLE_EQ(decay_factor(decay, 2000.0), 0.75);  // .6 / .8
  EXPECT_DOUBLE_EQ(decay_factor(decay, 3000.0), 0.5);
  EXPECT_DOUBLE_EQ(decay_factor(decay, 1e6), 0.5);
}

// A shape of the published length at 2k has the published length at every other point.
TEST(DecayedShape, HasThePublishedLengths) {
  const auto decay = published();
  const auto shape = iid_shape(alpha_from_rate(1.295 / 5.0, 5), 5);
  for (const auto& point : decay.points)
    EXPECT_NEAR(mean_acceptance_length(decayed_shape(decay, shape, point.context_tokens)),
                point.value, 1e-9);
}

TEST(DecayedShape, MultipliesEveryConditionalByAnAlphaFactor) {
  const ContextDecay decay{Of::alpha, {{0.0, 1.0}, {100.0, 0.5}, {200.0, 2.0}}};
  EXPECT_EQ(decayed_shape(decay, std::vector{0.8, 0.6}, 100.0), (std::vector{0.4, 0.3}));
  EXPECT_EQ(decayed_shape(decay, std::vector{0.8, 0.4}, 200.0), (std::vector{1.0, 0.8}));
}

TEST(DecayedShape, StopsAtNothingAccepted) {
  const auto decay = published();
  const auto shape = decayed_shape(decay, iid_shape(0.3, 2), 20000.0);  // 1.39 x .47 < 1
  EXPECT_NEAR(mean_acceptance_length(shape), 1.0, 1e-9);
}

}  // namespace
}  // namespace specroute::models
