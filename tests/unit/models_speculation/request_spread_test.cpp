#include "models/speculation/request_spread.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/speculation/acceptance.hpp"

namespace specroute::models {
namespace {

using Shape = std::vector<double>;

// Requests of n tokens each: kind j takes n / m_j steps and accepts n - n / m_j tokens, so
// accepted / steps = (1 - mean(1 / m)) / mean(1 / m).
double counted_length(const std::vector<Shape>& shapes) {
  double steps = 0.0;
  for (const Shape& shape : shapes) steps += 1.0 / mean_acceptance_length(shape);
  return static_cast<double>(shapes.size()) / steps;
}

TEST(SpreadShapes, KeepTheLengthThatEnginesCount) {
  for (const Shape& shape :
       {Shape{0.534, 0.534}, Shape{0.77, 0.58, 0.53}, Shape{0.05}, Shape{0.98, 0.98, 0.98, 0.98}})
    for (const double scale : {0.1, 1.0, 3.0}) {
      const auto shapes = spread_shapes(shape, scale);
      ASSERT_EQ(shapes.size(), kRequestQuantiles);
      EXPECT_NEAR(counted_length(shapes), mean_acceptance_length(shape), 1e-11) << scale;
    }
}

// One draft token at .5: m = 1 + a, and the harmonic mean of 1 + a_j must be 1.5. Two kinds at 0
// and 1 would have a harmonic mean of 2 / (1 + 1/2) = 4/3, so the plain mean has to rise.
TEST(SpreadShapes, RaiseThePlainMeanAsHardRequestsTakeMoreSteps) {
  double mean = 0.0;
  for (const Shape& shape : spread_shapes(Shape{0.5}, 2.0)) mean += shape[0] / kRequestQuantiles;
  EXPECT_GT(mean, 0.505);
}

TEST(SpreadShapes, GoFromTheHardestToTheEasiest) {
  const auto shapes = spread_shapes(Shape{0.6, 0.7}, 1.0);
  for (std::size_t j = 1; j < shapes.size(); ++j)
    for (std::size_t k = 0; k < 2; ++k) EXPECT_GT(shapes[j][k], shapes[j - 1][k]);
}

TEST(SpreadShapes, AreTheShapeWithoutASpreadOrWithoutChance) {
  for (const auto& shape : spread_shapes(Shape{0.6, 0.7}, 0.0)) EXPECT_EQ(shape, (Shape{0.6, 0.7}));
  for (const auto& shape : spread_shapes(Shape{1.0, 0.0}, 2.0)) EXPECT_EQ(shape, (Shape{1.0, 0.0}));
}

TEST(ScaleForCorrelation, InvertsTheCorrelation) {
  for (const double correlation : {0.02, 0.1, 0.3, 0.6}) {
    const auto scale = scale_for_correlation(Shape{0.6, 0.6}, correlation);
    ASSERT_TRUE(scale.ok());
    EXPECT_NEAR(step_correlation(Shape{0.6, 0.6}, scale.value()), correlation, 1e-9);
  }
  EXPECT_EQ(scale_for_correlation(Shape{0.6}, 0.0).value(), 0.0);
}

// At a mean of .99 one kind in 16 can be as low as .84 if all others are at 1.
TEST(ScaleForCorrelation, RefusesWhatSixteenKindsCannotCarry) {
  const auto refused = scale_for_correlation(Shape{0.99}, 0.9);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(to_string(refused.diagnostics().front()),
              testing::HasSubstr("expected a correlation of at most 0."));
  EXPECT_FALSE(scale_for_correlation(Shape{1.0}, 0.1).ok());
}

}  // namespace
}  // namespace specroute::models
