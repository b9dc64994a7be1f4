#include "models/speculation/broyden.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace specroute::models {
namespace {

Approach solved(const EquationSystem& system, const Unknowns& start) {
  return approach_root(system, start, slopes_at(system, start, system.residual(start)), 1e-10);
}

TEST(Broyden, FindsTheSquareRootOfTwo) {
  const EquationSystem system{1, [](const Unknowns& x) { return Unknowns{x[0] * x[0] - 2.0}; }};
  const Approach found = solved(system, {1.0});
  EXPECT_LE(found.error, 1e-10);
  EXPECT_NEAR(found.x[0], std::sqrt(2.0), 1e-9);
}

// A circle of radius 5 and the line y = x + 1 meet at (3, 4) and (-4, -3).
TEST(Broyden, FindsTheRootOnItsSide) {
  const EquationSystem system{2, [](const Unknowns& x) {
                                return Unknowns{x[0] * x[0] + x[1] * x[1] - 25.0,
                                                x[1] - x[0] - 1.0};
                              }};
  const Approach right = solved(system, {2.0, 5.0});
  EXPECT_NEAR(right.x[0], 3.0, 1e-8);
  EXPECT_NEAR(right.x[1], 4.0, 1e-8);
  EXPECT_NEAR(solved(system, {-5.0, -2.0}).x[0], -4.0, 1e-8);
}

TEST(Broyden, SolvesThreeEquationsWhosePivotIsNotOnTheDiagonal) {
  const EquationSystem system{3, [](const Unknowns& x) {
                                return Unknowns{x[1] - 2.0, std::exp(x[2]) - 1.0,
                                                x[0] + x[2] - 3.0};
                              }};
  const Approach found = solved(system, {0.0, 0.0, 0.5});
  EXPECT_NEAR(found.x[0], 3.0, 1e-8);
  EXPECT_NEAR(found.x[1], 2.0, 1e-8);
  EXPECT_NEAR(found.x[2], 0.0, 1e-8);
}

// x^2 + 1 has no root: the nearest place is 0, and the evaluations end.
TEST(Broyden, GivesTheBestPlaceWhereThereIsNoRoot) {
  int evaluations = 0;
  const EquationSystem system{1, [&](const Unknowns& x) {
                                ++evaluations;
                                return Unknowns{x[0] * x[0] + 1.0};
                              }};
  const Approach found = solved(system, {2.0});
  EXPECT_GE(found.error, 1.0);
  EXPECT_LT(found.error, 5.0);
  EXPECT_LE(evaluations, 31);
}

}  // namespace
}  // namespace specroute::models
