#include "sim/routing/dispatcher.hpp"

#include <gtest/gtest.h>

#include "tests/unit/sim_routing/small_fleet.hpp"

namespace specroute::sim {
namespace {

Dispatcher opened(Dispatch rule) {
  Dispatcher dispatcher(three_targets(rule));
  for (const BackendId target : {kTarget, kStandby, kThird}) dispatcher.open(target, 0);
  return dispatcher;
}

TEST(Dispatcher, TakesTurnsAmongOpenTargets) {
  Dispatcher d = opened(Dispatch::round_robin);
  EXPECT_EQ(d.choose(kPool), kTarget);
  EXPECT_EQ(d.choose(kPool), kStandby);
  d.close(kThird);
  EXPECT_EQ(d.choose(kPool), kTarget);
  EXPECT_EQ(d.choose(kPool), kStandby);
}

TEST(Dispatcher, SendsToTheLeastOutstandingTiesToTheLowestId) {
  Dispatcher d = opened(Dispatch::least_outstanding);
  EXPECT_EQ(d.choose(kPool), kTarget);
  EXPECT_EQ(d.choose(kPool), kStandby);
  EXPECT_EQ(d.choose(kPool), kThird);
  d.ended({kStandby});
  EXPECT_EQ(d.choose(kPool), kStandby);
  EXPECT_EQ(d.choose(kPool), kTarget);
}

// Two outstanding for each engine: four on a target with two, two on the others.
TEST(Dispatcher, LetsNoTargetHoldMoreThanTheLimit) {
  for (const Dispatch rule : {Dispatch::least_outstanding, Dispatch::round_robin}) {
    Scenario s = three_targets(rule);
    s.backends[kThird.index()].engines = 2;
    s.router.max_outstanding_per_engine = 2;
    Dispatcher d(s);
    EXPECT_FALSE(d.has_room(kPool)) << "nobody is open";
    for (const BackendId target : {kTarget, kStandby, kThird}) d.open(target, 0);
    for (int i = 0; i < 8; ++i) {
      EXPECT_TRUE(d.has_room(kPool));
      ASSERT_TRUE(d.choose(kPool).has_value());
    }
    EXPECT_EQ(d.outstanding(kThird), 4U);
    EXPECT_FALSE(d.has_room(kPool));
    EXPECT_FALSE(d.choose(kPool).has_value());
    d.ended({kStandby});
    EXPECT_TRUE(d.has_room(kPool));
    EXPECT_EQ(d.choose(kPool), kStandby);
  }
}

// Rewards do not move traffic unless the rule says so.
TEST(Dispatcher, IgnoresRewardsUnlessWeighted) {
  Dispatcher d = opened(Dispatch::least_outstanding);
  d.reward(kThird, 940'000);
  EXPECT_EQ(d.choose(kPool), kTarget);
}

// Weights 1 : 1.5 : 1. Of 350 requests in flight the shares are 100 : 150 : 100, exactly.
TEST(Dispatcher, SharesTrafficInProportionToTheWeights) {
  Dispatcher d = opened(Dispatch::weighted_by_reward);
  d.reward(kStandby, 500'000);
  for (int i = 0; i < 350; ++i) ASSERT_TRUE(d.choose(kPool).has_value());
  EXPECT_EQ(d.outstanding(kTarget), 100U);
  EXPECT_EQ(d.outstanding(kStandby), 150U);
  EXPECT_EQ(d.outstanding(kThird), 100U);
}

// (0 + 1) / 2 = (1 + 1) / 4 exactly: with weights 1 and 2 (reward 1,000,000 ppm), the second
// request of the heavier target ties with the first of the lighter, and the lowest id has it.
TEST(Dispatcher, ComparesWeightedLoadsExactly) {
  Dispatcher d = opened(Dispatch::weighted_by_reward);
  d.close(kThird);
  d.reward(kStandby, 1'000'000);
  EXPECT_EQ(d.choose(kPool), kStandby);  // 1/2 < 1/1
  EXPECT_EQ(d.choose(kPool), kTarget);   // 2/2 = 1/1: a tie
}

TEST(Dispatcher, ForgetsTheRewardOfThePairingBefore) {
  Dispatcher d = opened(Dispatch::weighted_by_reward);
  d.reward(kThird, 900'000);
  d.close(kThird);
  d.open(kThird, 0);
  EXPECT_EQ(d.choose(kPool), kTarget);
}

TEST(Dispatcher, ChoosesNobodyWhereNoneIsOpen) {
  for (const Dispatch rule :
       {Dispatch::round_robin, Dispatch::least_outstanding, Dispatch::weighted_by_reward}) {
    Dispatcher d(three_targets(rule));
    EXPECT_FALSE(d.choose(kPool).has_value());
  }
}

TEST(Dispatcher, ShedsBeyondTheQueueLimitButNeverARetry) {
  Scenario s = three_targets(Dispatch::round_robin);
  s.router.queue_limit = 2;
  Dispatcher d(s);
  EXPECT_TRUE(d.enqueue(kPool, 1, false));
  EXPECT_TRUE(d.enqueue(kPool, 2, false));
  EXPECT_FALSE(d.enqueue(kPool, 3, false));
  EXPECT_TRUE(d.enqueue(kPool, 4, true));
  EXPECT_EQ(d.queue(kPool), (std::deque<std::uint32_t>{4, 1, 2}));
}

TEST(DispatcherDeathTest, EndsNoRequestTwice) {
  Dispatcher d = opened(Dispatch::round_robin);
  EXPECT_EQ(d.choose(kPool), kTarget);
  d.ended({kTarget});
  EXPECT_DEATH(d.ended({kTarget}), "outstanding");
}

}  // namespace
}  // namespace specroute::sim
