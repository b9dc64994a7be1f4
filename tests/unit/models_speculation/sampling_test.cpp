#include "models/speculation/sampling.hpp"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace specroute::models {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

// Logits whose weights at T = 1 are 8 : 4 : 2 : 1 : 1, so probabilities 1/2, 1/4, 1/8, 1/16, 1/16.
std::vector<double> octave_logits() {
  const double octave = std::log(2.0);
  return {3 * octave, 2 * octave, octave, 0.0, 0.0};
}

std::vector<double> sampled(std::vector<double> logits, const SamplingParameters& parameters) {
  SamplingScratch scratch;
  sample_distribution(logits, parameters, scratch);
  return logits;
}

TEST(SampleDistribution, IsSoftmaxWithoutFilters) {
  EXPECT_THAT(sampled(octave_logits(), {}),
              Pointwise(DoubleNear(1e-15), {0.5, 0.25, 0.125, 0.0625, 0.0625}));
}

// T = 1/2 squares the weights: 64 : 16 : 4 : 1 : 1, of 86.
TEST(SampleDistribution, DividesLogitsByTemperature) {
  EXPECT_THAT(sampled(octave_logits(), {.temperature = 0.5}),
              Pointwise(DoubleNear(1e-15), {64.0 / 86, 16.0 / 86, 4.0 / 86, 1.0 / 86, 1.0 / 86}));
}

TEST(SampleDistribution, IsTheLowestArgmaxAtTemperatureZero) {
  EXPECT_THAT(sampled({1.0, 5.0, 5.0, 2.0}, {.temperature = 0.0}), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(sampled({1.0, 5.0, 5.0, 2.0}, {.top_k = 1}), ElementsAre(0, 1, 0, 0));
}

// Two tokens of weight 8 and 4 are left: 2/3 and 1/3.
TEST(SampleDistribution, KeepsTopK) {
  EXPECT_THAT(sampled(octave_logits(), {.top_k = 2}),
              Pointwise(DoubleNear(1e-15), {2.0 / 3, 1.0 / 3, 0.0, 0.0, 0.0}));
}

TEST(SampleDistribution, BreaksTopKTiesByTheLowestIndex) {
  const auto kept = sampled(octave_logits(), {.top_k = 4});
  EXPECT_GT(kept[3], 0.0);
  EXPECT_EQ(kept[4], 0.0);
}

// 1/2 + 1/4 = 0.75 covers 0.75 and does not cover 0.76, which needs the third: 8 : 4 : 2 of 14.
TEST(SampleDistribution, KeepsTheSmallestHeadThatCoversTopP) {
  EXPECT_THAT(sampled(octave_logits(), {.top_p = 0.74}),
              Pointwise(DoubleNear(1e-15), {2.0 / 3, 1.0 / 3, 0.0, 0.0, 0.0}));
  EXPECT_THAT(sampled(octave_logits(), {.top_p = 0.76}),
              Pointwise(DoubleNear(1e-15), {8.0 / 14, 4.0 / 14, 2.0 / 14, 0.0, 0.0}));
  EXPECT_THAT(sampled(octave_logits(), {.top_p = 1e-9}), ElementsAre(1, 0, 0, 0, 0));
}

// Top-p shares out what top-k left: of 8 + 4 + 2 = 14 two thirds are 9.3, so two tokens; of all 16,
// 10.7, two tokens as well; at 0.86, 12.04 of 14 needs the third, while 13.8 of 16 would too.
TEST(SampleDistribution, AppliesTopPToTheRemainderOfTopK) {
  const auto kept = sampled(octave_logits(), {.top_p = 0.8, .top_k = 3});
  // 0.8 x 14 = 11.2 <= 12: two tokens. Of the whole 16 it would be 12.8 > 12: three.
  EXPECT_THAT(kept, Pointwise(DoubleNear(1e-15), {2.0 / 3, 1.0 / 3, 0.0, 0.0, 0.0}));
}

// Kept where w >= 0.2 x 8 = 1.6: weights 8, 4, 2.
TEST(SampleDistribution, DropsBelowMinPOfTheLargest) {
  EXPECT_THAT(sampled(octave_logits(), {.min_p = 0.2}),
              Pointwise(DoubleNear(1e-15), {8.0 / 14, 4.0 / 14, 2.0 / 14, 0.0, 0.0}));
}

// H(1/2, 1/4, 1/8, 1/16, 1/16) = 1/2 + 2/4 + 3/8 + 4/16 + 4/16 bits = 1.875 log 2 nats.
TEST(SampleDistribution, ReturnsTheEntropy) {
  SamplingScratch scratch;
  auto logits = octave_logits();
  EXPECT_NEAR(sample_distribution(logits, {}, scratch), 1.875 * std::log(2.0), 1e-14);
  EXPECT_NEAR(entropy_nats(logits), 1.875 * std::log(2.0), 1e-14);
  EXPECT_EQ(entropy_nats(std::vector<double>{0.0, 1.0}), 0.0);
}

TEST(SampleDistribution, SurvivesLogitsThatOverflowAnExponential) {
  EXPECT_THAT(sampled({1e6, 1e6, -1e6}, {}), ElementsAre(0.5, 0.5, 0.0));
}

TEST(SamplingParametersTest, SeedAndGrammarDoNotShapeADistribution) {
  const SamplingParameters one{.temperature = 0.7, .seed = 1, .grammar_id = "json"};
  const SamplingParameters other{.temperature = 0.7, .seed = 2, .grammar_id = ""};
  EXPECT_TRUE(same_distribution(one, other));
  EXPECT_FALSE(one == other);
  EXPECT_FALSE(same_distribution(one, {.temperature = 0.7, .top_k = 5}));
}

}  // namespace
}  // namespace specroute::models
