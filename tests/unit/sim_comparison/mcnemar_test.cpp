#include "sim/comparison/mcnemar.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

// By hand: b + c = n tosses of a fair coin; p = 2 (sum over k <= min(b, c) of C(n, k)) / 2^n.
TEST(McNemar, IsTwiceTheTailOfAFairCoin) {
  EXPECT_DOUBLE_EQ(mcnemar_exact(0, 5), 0.0625);     // 2 * 1 / 32
  EXPECT_DOUBLE_EQ(mcnemar_exact(5, 0), 0.0625);     // either way
  EXPECT_DOUBLE_EQ(mcnemar_exact(1, 9), 0.02148);    // 2 * (1 + 10) / 1024 = 0.021484375
  EXPECT_DOUBLE_EQ(mcnemar_exact(3, 7), 0.3438);     // 2 * (1 + 10 + 45 + 120) / 1024 = 0.34375
  EXPECT_DOUBLE_EQ(mcnemar_exact(0, 20), 1.907e-6);  // 2 / 2^20
}

TEST(McNemar, NeverExceedsOne) {
  EXPECT_DOUBLE_EQ(mcnemar_exact(0, 0), 1.0);
  EXPECT_DOUBLE_EQ(mcnemar_exact(4, 4), 1.0);
  EXPECT_DOUBLE_EQ(mcnemar_exact(0, 1), 1.0);
}

TEST(McNemar, OfManyFlipsOneWayIsNoNumberToSpeakOf) {
  EXPECT_EQ(mcnemar_exact(0, 14'000), 0.0);  // 2^-13999 is below every double
  EXPECT_GT(mcnemar_exact(6'900, 7'100), 0.05);
}

}  // namespace
}  // namespace specroute::sim
