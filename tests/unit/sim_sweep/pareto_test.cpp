#include "sim/sweep/pareto.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

using Front = std::vector<std::size_t>;

TEST(ParetoFront, KeepsWhatNothingBeats) {
  EXPECT_EQ(pareto_front({{1.0, 5.0}, {2.0, 4.0}, {3.0, 4.0}, {5.0, 1.0}, {5.0, 5.0}}),
            (Front{0, 1, 3}));
}

TEST(ParetoFront, KeepsEqualsSideBySide) {
  EXPECT_EQ(pareto_front({{1.0, 1.0}, {1.0, 1.0}, {1.0, 2.0}}), (Front{0, 1}));
}

TEST(ParetoFront, DoesNotJudgeWhatDoesNotApply) {
  EXPECT_EQ(pareto_front({{0.0, std::nullopt}, {1.0, 1.0}}), (Front{1}));
  EXPECT_TRUE(pareto_front({}).empty());
}

}  // namespace
}  // namespace specroute::sim
