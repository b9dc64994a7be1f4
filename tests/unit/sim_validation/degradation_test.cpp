// The sections on loops and on queues: what their rows must hold.
#include "sim/validation/degradation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/validation/queueing.hpp"

namespace specroute::sim::validation {
namespace {

const Comparison& row(const Section& section, const std::string& quantity,
                      const std::string& condition) {
  return *std::ranges::find_if(section.comparisons, [&](const Comparison& one) {
    return one.quantity == quantity && one.condition == condition;
  });
}

const Section& degradation() {
  static const Section section = degradation_section();
  return section;
}

// Greedy 73.66 % of equal lengths: a 335th of its hazard leaves 0.2634^(1/335) unlooped, 0.397 %;
// at top-k 40 the entropy is ln 6.88 / ln 22.73 = 0.617 of the reference, 335^-0.617 = 1/36.2, and
// 0.2634^(1/36.2) leaves 3.62 %.
TEST(LoopAnchors, FollowFromTheGreedyShare) {
  const std::string quantity = "share that ends in repetition";
  EXPECT_NEAR(row(degradation(), quantity, "greedy").ours, 73.66, 1e-10);
  EXPECT_NEAR(row(degradation(), quantity, "pure sampling").ours, 0.397, 0.001);
  EXPECT_NEAR(row(degradation(), quantity, "top-k 40").ours, 3.62, 0.01);
  EXPECT_EQ(row(degradation(), quantity, "top-k 40").standing, Standing::predicted);
}

// (1 - 0.98^9) / 0.02 = 8.31 tokens.
TEST(LoopAnchors, AcceptALoopAtEveryPosition) {
  EXPECT_NEAR(row(degradation(), "tokens per verification in a loop", "gamma = 8").ours, 8.313,
              1e-3);
}

TEST(Degradation, ShowsEveryInputMovedAtBothTemperatures) {
  std::size_t sensitivity = 0;
  for (const Table& table : degradation().tables) {
    for (const auto& cells : table.rows) EXPECT_EQ(cells.size(), table.header.size());
    if (table.caption.starts_with("Sensitivity")) {
      ++sensitivity;
      EXPECT_EQ(table.rows.size(), 18U);
    }
  }
  EXPECT_EQ(sensitivity, 2U);
}

TEST(Degradation, MeetsItsBounds) {
  for (const Bound& bound : degradation().bounds) EXPECT_TRUE(bound.met()) << bound.name;
}

// M/D/1 at half load with passes of 5 ms, 4 to a request: 0.5 x 20 / (2 x 0.5) = 10 ms.
TEST(Queueing, KnowsTheExactWaitsAndMeetsItsBounds) {
  const Section section = queueing_section();
  EXPECT_NEAR(row(section, "mean wait", "utilisation 0.5").theirs, 10.0, 1e-9);
  for (const Bound& bound : section.bounds)
    EXPECT_TRUE(bound.met()) << bound.name << ' ' << bound.measured;
}

}  // namespace
}  // namespace specroute::sim::validation
