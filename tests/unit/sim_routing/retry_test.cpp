#include "sim/routing/retry.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

RetryLayer layer(std::uint32_t retries) {
  return {.max_retries = retries,
          .backoff = Seconds{0.05},
          .backoff_multiplier = 1.5,
          .backoff_max = Seconds{0.1},
          .jitter = 0.2,
          .budget_share = {},
          .budget_min_per_s = 0.0,
          .budget_window_s = 10,
          .try_timeout = {}};
}

/// Tries of one request that always fails in the innermost layer.
int tries_of(RetryPolicy& policy) {
  RetryState state;
  policy.begin(state, Seconds{0.0});
  int tries = 1;
  while (policy.after_failure(state, policy.innermost(), Seconds{0.0}, 0.5)) ++tries;
  return tries;
}

TEST(RetryPolicy, MultipliesTriesOverLayers) {
  RetryPolicy one({layer(3)});
  EXPECT_EQ(tries_of(one), 4);
  RetryPolicy three({layer(2), layer(3), layer(1)});
  EXPECT_EQ(tries_of(three), 3 * 4 * 2);
  RetryPolicy none({layer(0)});
  EXPECT_EQ(tries_of(none), 1);
}

// 50, 75, 100 (112.5 cut off), 100 ms; u = 0.5 is no jitter, 0 takes a fifth off, 1 would add it.
TEST(RetryPolicy, WaitsLongerEachTimeUpToAMaximum) {
  RetryPolicy policy({layer(9)});
  RetryState state;
  policy.begin(state, Seconds{0.0});
  for (const double wait_s : {0.05, 0.075, 0.1, 0.1})
    EXPECT_DOUBLE_EQ(policy.after_failure(state, 0, Seconds{0.0}, 0.5)->wait.count(), wait_s);
  EXPECT_DOUBLE_EQ(policy.after_failure(state, 0, Seconds{0.0}, 0.0)->wait.count(), 0.08);
  EXPECT_DOUBLE_EQ(policy.after_failure(state, 0, Seconds{0.0}, 0.75)->wait.count(), 0.11);
}

// 20 % of 50 requests and 1 a second over 10 s: 10 + 10 retries, and none of the rest.
TEST(RetryPolicy, KeepsWithinItsBudget) {
  RetryLayer budgeted = layer(5);
  budgeted.budget_share = 0.2;
  budgeted.budget_min_per_s = 1.0;
  RetryPolicy policy({budgeted});
  int retries = 0;
  std::vector<RetryState> states(50);
  for (RetryState& state : states) policy.begin(state, Seconds{3.0});
  for (RetryState& state : states)
    while (policy.after_failure(state, 0, Seconds{4.0}, 0.5)) ++retries;
  EXPECT_EQ(retries, 20);
  EXPECT_GE(policy.denied(), 30U);
  RetryState later;
  policy.begin(later, Seconds{30.0});
  EXPECT_TRUE(policy.after_failure(later, 0, Seconds{30.0}, 0.5)) << "the window has passed";
}

TEST(RetryPolicy, EndsTheOutermostTryThatIsOver) {
  RetryLayer outer = layer(1);
  outer.try_timeout = Seconds{2.0};
  RetryLayer inner = layer(5);
  inner.try_timeout = Seconds{0.5};
  RetryPolicy policy({outer, inner});
  RetryState state;
  policy.begin(state, Seconds{1.0});
  EXPECT_FALSE(policy.timed_out(state, Seconds{1.4}));
  EXPECT_EQ(policy.timed_out(state, Seconds{1.5}), 1U);
  EXPECT_EQ(policy.timed_out(state, Seconds{3.0}), 0U);

  const auto next = policy.after_failure(state, 1, Seconds{1.5}, 0.5);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->layer, 1U);
  EXPECT_DOUBLE_EQ(state.deadline[1].count(), 1.5 + 0.05 + 0.5) << "from the next try on";
  EXPECT_DOUBLE_EQ(state.deadline[0].count(), 3.0) << "the outer try goes on";

  const auto anew = policy.after_failure(state, 0, Seconds{3.0}, 0.5);
  ASSERT_TRUE(anew);
  EXPECT_EQ(anew->layer, 0U);
  EXPECT_EQ(state.retries[1], 0) << "inner layers begin anew";
  EXPECT_FALSE(policy.after_failure(state, 0, Seconds{6.0}, 0.5)) << "its one retry is spent";
}

}  // namespace
}  // namespace specroute::sim
