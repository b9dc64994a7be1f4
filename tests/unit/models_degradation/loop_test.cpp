#include "models/degradation/loop.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace specroute::models {
namespace {

constexpr LoopModel kModel{.greedy_hazard = 3.3e-4, .reference_entropy_nats = 1.2};

// 73.66 / 0.22 = 334.8.
TEST(LoopHazard, MeetsBothPublishedEnds) {
  EXPECT_DOUBLE_EQ(loop_hazard(kModel, 0.0), 3.3e-4);
  EXPECT_NEAR(loop_hazard(kModel, 0.0) / loop_hazard(kModel, 1.2), 73.66 / 0.22, 1e-10);
  EXPECT_NEAR(kGreedyToSampledLoops, 335.0, 0.5);
}

// Half the reference entropy is the square root of the ratio: sqrt(334.8) = 18.3.
TEST(LoopHazard, IsLogLinearInEntropy) {
  EXPECT_NEAR(loop_hazard(kModel, 0.6), 3.3e-4 / std::sqrt(73.66 / 0.22), 1e-18);
  double previous = 1.0;
  for (double entropy = 0.0; entropy < 6.0; entropy += 0.25) {
    EXPECT_LT(loop_hazard(kModel, entropy), previous);
    previous = loop_hazard(kModel, entropy);
  }
}

// A quarter of the way: 1 - 0.997/4 linearly; a threshold at half is not reached. Beyond H_ref both
// stay at 1/R where the log-linear law falls on.
TEST(LoopHazard, MeetsTheSameEndsUnderEveryLaw) {
  for (const EntropyLaw law : {EntropyLaw::linear, EntropyLaw::threshold}) {
    LoopModel model = kModel;
    model.law = law;
    EXPECT_DOUBLE_EQ(loop_hazard(model, 0.0), 3.3e-4);
    EXPECT_NEAR(loop_hazard(model, 1.2), loop_hazard(kModel, 1.2), 1e-18);
    EXPECT_NEAR(loop_hazard(model, 5.0), loop_hazard(kModel, 1.2), 1e-18);
    const double quarter = law == EntropyLaw::linear ? 1.0 - (1.0 - 0.22 / 73.66) / 4.0 : 1.0;
    EXPECT_NEAR(loop_hazard(model, 0.3), 3.3e-4 * quarter, 1e-18);
  }
}

// log(1 - .7366) / log(1 - .0022) = 1.3342 / 0.0022024 = 606; small shares are their own hazards.
TEST(HazardRatio, ExceedsTheRatioOfSharesWhereTheyAreLarge) {
  EXPECT_NEAR(hazard_ratio_from_shares(0.7366, 0.0022), 605.8, 0.1);
  EXPECT_NEAR(hazard_ratio_from_shares(2e-6, 1e-6), 2.0, 1e-5);
  EXPECT_NEAR(hazard_ratio_from_shares(0.75, 0.5), 2.0, 1e-15) << "two halves of a half";
}

// Greedy at verified positions, sampled at the bonus token: what forwarded logits do when stale.
TEST(LoopStepHazard, TakesEachKindOfTokenByItsOwnEntropy) {
  const RuleOutcome outcome{.acceptance = 0.96,
                            .emitted_entropy_nats = 0.0,
                            .bonus_entropy_nats = 1.2,
                            .total_variation = 0.3};
  const auto hazard = loop_step_hazard(kModel, outcome);
  EXPECT_DOUBLE_EQ(hazard.verified, 3.3e-4);
  EXPECT_NEAR(hazard.bonus, 3.3e-4 * 0.22 / 73.66, 1e-18);
}

// gamma = 2 at alpha .95: 1 + .95 + .9025 = 2.8525 tokens per verification.
TEST(LoopingShape, IsEasyToDraft) {
  EXPECT_NEAR(mean_acceptance_length(looping_shape(kModel, 2)), 2.8525, 1e-12);
}

TEST(EscapeStepHazard, IsTheSameForEveryToken) {
  LoopModel model;
  EXPECT_EQ(escape_step_hazard(model).verified, 0.0);
  model.escape_hazard = 0.25;
  EXPECT_EQ(escape_step_hazard(model).verified, 0.25);
  EXPECT_EQ(escape_step_hazard(model).bonus, 0.25);
}

// e = 1/4, room for 3: 1 + 3/4 + 9/16 = 37/16. With room for all, 1/e = 4. Without escape, the
// room.
TEST(MeanTokensInLoop, IsAGeometricSumUpToTheRoom) {
  LoopModel model;
  EXPECT_EQ(mean_tokens_in_loop(model, 192.0), 192.0);
  model.escape_hazard = 0.25;
  EXPECT_NEAR(mean_tokens_in_loop(model, 3.0), 37.0 / 16, 1e-15);
  EXPECT_NEAR(mean_tokens_in_loop(model, 1e6), 4.0, 1e-12);
  model.escape_hazard = 1.0;
  EXPECT_EQ(mean_tokens_in_loop(model, 9.0), 1.0);
  EXPECT_EQ(mean_tokens_in_loop(model, 0.0), 0.0);
}

// Two lengths, 1 and 3, at h = 1/2: (1/2 + 7/8) / 2 = 11/16.
TEST(ShareFromHazard, AveragesOverLengths) {
  const std::vector<double> lengths = {1.0, 3.0};
  EXPECT_NEAR(share_from_hazard(0.5, lengths), 11.0 / 16, 1e-15);
  EXPECT_EQ(share_from_hazard(0.0, lengths), 0.0);
  EXPECT_EQ(share_from_hazard(1.0, std::vector<double>{0.0, 5.0}), 0.5);
}

TEST(HazardFromShare, Inverts) {
  const auto lengths = length_quantiles({});
  for (const double share : {0.0, 1e-7, 0.007, 0.021, 0.5, 0.99})
    EXPECT_NEAR(share_from_hazard(hazard_from_share(share, lengths), lengths), share,
                1e-12 * (share + 1e-3));
}

// The incident: 2.1 % of completions of mean 64 tokens. To first order the hazard is
// .021 / 64 = 3.3e-4; at the reference entropy the same completions loop .021 / 335 = 0.0063 %.
TEST(HazardFromShare, CalibratesTheIncident) {
  const auto lengths = length_quantiles({.mean = 64.0, .coefficient_of_variation = 0.5});
  const double hazard = hazard_from_share(0.021, lengths);
  EXPECT_NEAR(hazard, 0.021 / 64.0, 0.02 * 0.021 / 64.0);
  const LoopModel model{.greedy_hazard = hazard};
  const double healthy = share_from_hazard(loop_hazard(model, 1.0), lengths);
  EXPECT_NEAR(healthy, 0.021 * 0.22 / 73.66, 0.02 * 6.3e-5);
}

// Midpoint quantiles lose little of the tail: the mean within 0.2 %, the limit kept.
TEST(LengthQuantiles, HaveTheMeanAndKeepTheLimit) {
  const auto lengths =
      length_quantiles({.mean = 64.0, .coefficient_of_variation = 0.5, .limit = 1e9});
  EXPECT_NEAR(std::accumulate(lengths.begin(), lengths.end(), 0.0) / 256.0, 64.0, 0.13);
  for (const double tokens : length_quantiles({.mean = 64.0, .limit = 80.0})) {
    EXPECT_LE(tokens, 80.0);
    EXPECT_GE(tokens, 1.0);
  }
}

}  // namespace
}  // namespace specroute::models
