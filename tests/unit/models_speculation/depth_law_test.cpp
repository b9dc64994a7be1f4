#include "models/speculation/depth_law.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "models/speculation/acceptance.hpp"

namespace specroute::models {
namespace {

std::vector<MeasuredLength> lengths_of(const DepthLaw& law, const std::vector<int>& draft_tokens) {
  std::vector<MeasuredLength> lengths;
  for (const int tokens : draft_tokens)
    lengths.push_back({tokens, mean_acceptance_length(depth_shape(law, tokens))});
  return lengths;
}

// m = .2, g = 2: hazards .2, .4, .8.
TEST(DepthShape, IsGompertz) {
  const auto shape = depth_shape({.hazard = 0.2, .growth = 2.0}, 3);
  ASSERT_EQ(shape.size(), 3U);
  EXPECT_NEAR(shape[0], std::exp(-0.2), 1e-15);
  EXPECT_NEAR(shape[1], std::exp(-0.4), 1e-15);
  EXPECT_NEAR(shape[2], std::exp(-0.8), 1e-15);
  // P(all three) = exp(-.2 (2^3 - 1) / (2 - 1)) = exp(-1.4).
  EXPECT_NEAR(accepted_distribution(shape)[3], std::exp(-1.4), 1e-15);
}

TEST(DepthShape, OfGrowthOneIsIid) {
  for (const double a : depth_shape({.hazard = -std::log(0.7), .growth = 1.0}, 5))
    EXPECT_NEAR(a, 0.7, 1e-15);
}

TEST(FitDepthLaw, RecoversWhatMadeTheLengths) {
  for (const double hazard : {0.05, 0.3, 1.0})
    for (const double growth : {0.5, 0.9, 1.0, 1.3, 2.0}) {
      const auto law = fit_depth_law(lengths_of({hazard, growth}, {1, 2, 3, 4}));
      EXPECT_NEAR(law.hazard, hazard, 1e-5 * hazard) << growth;
      EXPECT_NEAR(law.growth, growth, 1e-4 * growth) << hazard;
    }
}

TEST(FitDepthLaw, TakesAnyTwoLengthsInAnyOrder) {
  const auto law = fit_depth_law(lengths_of({0.25, 1.1}, {5, 2}));
  EXPECT_NEAR(law.hazard, 0.25, 1e-5);
  EXPECT_NEAR(law.growth, 1.1, 1e-4);
}

// Lengths that fall from one draft length to the next cannot be met, but they can be fitted: no
// acceptance is negative.
TEST(FitDepthLaw, BearsNoise) {
  const std::vector<MeasuredLength> noisy = {{1, 1.8}, {2, 2.3}, {3, 2.2}};
  const auto shape = depth_shape(fit_depth_law(noisy), 3);
  for (const double a : shape) {
    EXPECT_GE(a, 0.0);
    EXPECT_LE(a, 1.0);
  }
  EXPECT_NEAR(mean_acceptance_length(shape), 2.25, 0.05);
}

TEST(FitDepthLaw, ReachesItsEnds) {
  const std::vector<MeasuredLength> hopeless = {{1, 1.0}, {2, 1.0}};
  EXPECT_LT(depth_shape(fit_depth_law(hopeless), 1)[0], 1e-8);
  const std::vector<MeasuredLength> perfect = {{1, 2.0}, {4, 5.0}};
  EXPECT_NEAR(mean_acceptance_length(depth_shape(fit_depth_law(perfect), 4)), 5.0, 1e-4);
}

}  // namespace
}  // namespace specroute::models
