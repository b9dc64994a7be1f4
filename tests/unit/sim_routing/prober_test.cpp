#include "sim/routing/prober.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

using Verdict = Prober::Verdict;
constexpr BackendId kOne{0};
constexpr BackendId kOther{1};

TEST(Prober, BelievesInADeathAfterConsecutiveFailures) {
  Prober prober(2, 3);
  EXPECT_EQ(prober.on_result(kOne, false), Verdict::unchanged);
  EXPECT_EQ(prober.on_result(kOne, false), Verdict::unchanged);
  EXPECT_TRUE(prober.believed_up(kOne));
  EXPECT_EQ(prober.on_result(kOne, false), Verdict::went_down);
  EXPECT_FALSE(prober.believed_up(kOne));
  EXPECT_TRUE(prober.believed_up(kOther));
  EXPECT_EQ(prober.on_result(kOne, false), Verdict::unchanged);
}

TEST(Prober, StartsCountingAgainAfterAnAnswer) {
  Prober prober(2, 3);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(prober.on_result(kOne, false), Verdict::unchanged);
    EXPECT_EQ(prober.on_result(kOne, false), Verdict::unchanged);
    EXPECT_EQ(prober.on_result(kOther, false), i == 2 ? Verdict::went_down : Verdict::unchanged);
    EXPECT_EQ(prober.on_result(kOne, true), Verdict::unchanged);
  }
}

TEST(Prober, NoticesARestartThatWasFasterThanItsThreshold) {
  Prober prober(1, 3);
  EXPECT_EQ(prober.on_result(kOne, true, 0), Verdict::unchanged);
  EXPECT_EQ(prober.on_result(kOne, false), Verdict::unchanged);
  EXPECT_EQ(prober.on_result(kOne, true, 1), Verdict::restarted);
  EXPECT_EQ(prober.on_result(kOne, true, 1), Verdict::unchanged);
}

TEST(Prober, BelievesInARecoveryAtTheFirstAnswer) {
  Prober prober(1, 1);
  EXPECT_EQ(prober.on_result(kOne, false), Verdict::went_down);
  EXPECT_EQ(prober.on_result(kOne, true), Verdict::came_up);
  EXPECT_EQ(prober.on_result(kOne, true), Verdict::unchanged);
  EXPECT_EQ(prober.on_result(kOne, false), Verdict::went_down);
}

TEST(Prober, MayWantSeveralAnswersBeforeItBelievesInARecovery) {
  Prober prober(1, 1, 2);
  EXPECT_EQ(prober.on_result(kOne, false), Verdict::went_down);
  EXPECT_EQ(prober.on_result(kOne, true, 1), Verdict::unchanged);
  EXPECT_EQ(prober.on_result(kOne, false), Verdict::unchanged) << "and counts again";
  EXPECT_EQ(prober.on_result(kOne, true, 1), Verdict::unchanged);
  EXPECT_EQ(prober.on_result(kOne, true, 1), Verdict::came_up);
}

// A restart that was noticed as a death comes back as a recovery, once.
TEST(Prober, TellsARecoveryFromARestart) {
  Prober prober(1, 1);
  EXPECT_EQ(prober.on_result(kOne, false), Verdict::went_down);
  EXPECT_EQ(prober.on_result(kOne, true, 1), Verdict::came_up);
  EXPECT_EQ(prober.on_result(kOne, true, 1), Verdict::unchanged);
}

}  // namespace
}  // namespace specroute::sim
