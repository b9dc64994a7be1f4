#include "sim/routing/circuit_breaker.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

constexpr BackendId kOne{0};

/// `targets` targets of one pool, and breakers that open after three failures in a row for 10 s.
Scenario fleet_of(std::uint32_t targets) {
  Scenario s{};
  s.pools.resize(1);
  for (std::uint32_t t = 0; t < targets; ++t) {
    s.backends.emplace_back();
    s.backends.back().role = Role::target;
    s.backends.back().pool = PoolId{0};
  }
  s.router.breaker = BreakerSettings{.consecutive_failures = 3,
                                     .failure_share = {},
                                     .window_s = 60,
                                     .min_tries = 1,
                                     .deviations = {},
                                     .deviation_min_targets = 5,
                                     .deviation_min_tries = 100,
                                     .sweep = Seconds{10.0},
                                     .open = Seconds{10.0},
                                     .open_growth = OpenGrowth::none,
                                     .max_open = Seconds{25.0},
                                     .half_open = HalfOpen::one,
                                     .successes_to_close = 1,
                                     .max_open_share = 1.0,
                                     .closes_on_probe = false,
                                     .counts_client_errors = false};
  return s;
}

/// A try that is sent and settled at once.
std::optional<Seconds> attempt(CircuitBreakers& breakers, BackendId target, TryOutcome outcome,
                               Seconds now) {
  return breakers.settled(target, breakers.sent(target), outcome, now);
}

std::optional<Seconds> fail(CircuitBreakers& breakers, BackendId target, int times, Seconds now) {
  std::optional<Seconds> opened;
  for (int i = 0; i < times; ++i)
    if (const auto until = attempt(breakers, target, TryOutcome::failure, now)) opened = until;
  return opened;
}

TEST(CircuitBreaker, OpensAfterFailuresInARow) {
  CircuitBreakers breakers(fleet_of(1));
  EXPECT_FALSE(fail(breakers, kOne, 2, Seconds{1.0}));
  EXPECT_FALSE(attempt(breakers, kOne, TryOutcome::success, Seconds{1.0}));
  EXPECT_FALSE(fail(breakers, kOne, 2, Seconds{2.0}));
  EXPECT_TRUE(breakers.admits(kOne));
  EXPECT_EQ(fail(breakers, kOne, 1, Seconds{2.0}), Seconds{12.0});
  EXPECT_FALSE(breakers.admits(kOne));
  EXPECT_EQ(breakers.openings(), 1U);
}

TEST(CircuitBreaker, LetsOneTryDecideWhileHalfOpen) {
  CircuitBreakers breakers(fleet_of(1));
  fail(breakers, kOne, 3, Seconds{0.0});
  breakers.wake(kOne, Seconds{9.0});
  EXPECT_FALSE(breakers.admits(kOne)) << "not its date";
  breakers.wake(kOne, Seconds{10.0});
  EXPECT_TRUE(breakers.admits(kOne));
  const auto probing = breakers.sent(kOne);
  EXPECT_FALSE(breakers.admits(kOne)) << "one at a time";
  breakers.settled(kOne, probing, TryOutcome::nothing, Seconds{10.0});
  EXPECT_TRUE(breakers.admits(kOne)) << "taken back: it decided nothing";
  EXPECT_EQ(attempt(breakers, kOne, TryOutcome::timeout, Seconds{11.0}), Seconds{21.0});
  breakers.wake(kOne, Seconds{21.0});
  attempt(breakers, kOne, TryOutcome::success, Seconds{21.0});
  EXPECT_FALSE(fail(breakers, kOne, 2, Seconds{22.0})) << "closed, and counting from none";
}

// A try that was under way when the breaker opened tells of the target as it was.
TEST(CircuitBreaker, LetsNoOlderTryDecideWhileHalfOpen) {
  for (const TryOutcome of_old : {TryOutcome::nothing, TryOutcome::timeout, TryOutcome::failure,
                                  TryOutcome::client_error, TryOutcome::success}) {
    CircuitBreakers breakers(fleet_of(1));
    const auto old = breakers.sent(kOne);
    fail(breakers, kOne, 3, Seconds{0.0});
    breakers.wake(kOne, Seconds{10.0});
    const auto probing = breakers.sent(kOne);
    EXPECT_FALSE(breakers.settled(kOne, old, of_old, Seconds{11.0})) << "not opened again";
    EXPECT_FALSE(breakers.admits(kOne)) << "not closed, and one try is still out";
    EXPECT_TRUE(breakers.settled(kOne, probing, TryOutcome::failure, Seconds{12.0}));
  }
}

// SGLang's gateway: all traffic flows while half-open; three successes close it.
TEST(CircuitBreaker, MayAdmitAllWhileHalfOpen) {
  Scenario s = fleet_of(1);
  s.router.breaker->half_open = HalfOpen::all;
  s.router.breaker->successes_to_close = 3;
  CircuitBreakers breakers(s);
  fail(breakers, kOne, 3, Seconds{0.0});
  breakers.wake(kOne, Seconds{10.0});
  for (int i = 0; i < 2; ++i) {
    const auto sent_in = breakers.sent(kOne);
    EXPECT_TRUE(breakers.admits(kOne));
    breakers.settled(kOne, sent_in, TryOutcome::success, Seconds{10.0});
  }
  EXPECT_TRUE(fail(breakers, kOne, 1, Seconds{10.0})) << "still half-open after two";
}

// Linkerd doubles, Envoy multiplies by the number of ejections; both have a longest time.
TEST(CircuitBreaker, StaysOpenLongerEachTime) {
  for (const OpenGrowth growth : {OpenGrowth::linear, OpenGrowth::exponential}) {
    Scenario s = fleet_of(1);
    s.router.breaker->half_open = HalfOpen::none;
    s.router.breaker->open_growth = growth;
    CircuitBreakers breakers(s);
    Seconds now{0.0};
    for (const double open_s : {10.0, 20.0, 25.0}) {
      const auto until = fail(breakers, kOne, 3, now);
      ASSERT_TRUE(until);
      EXPECT_EQ(*until - now, Seconds{open_s});
      now = *until;
      breakers.wake(kOne, now);
      EXPECT_TRUE(breakers.admits(kOne));
    }
  }
}

// Envoy's multiplier falls by one with each interval that finds the host healthy, not by a success.
TEST(CircuitBreaker, ForgetsAnOpeningWithEachSweepThatFindsItClosed) {
  Scenario s = fleet_of(1);
  s.router.breaker->half_open = HalfOpen::none;
  s.router.breaker->open_growth = OpenGrowth::linear;
  s.router.breaker->max_open = Seconds{300.0};
  CircuitBreakers breakers(s);
  EXPECT_TRUE(breakers.sweeps());
  Seconds now{0.0};
  const auto opened_for = [&] {
    const auto until = fail(breakers, kOne, 3, now);
    const Seconds time = *until - now;
    breakers.sweep(*until);  // while it is open: forgets nothing
    now = *until;
    breakers.wake(kOne, now);
    attempt(breakers, kOne, TryOutcome::success, now);
    return time;
  };
  for (const double open_s : {10.0, 20.0, 30.0}) EXPECT_EQ(opened_for(), Seconds{open_s});
  breakers.sweep(now);
  breakers.sweep(now);
  EXPECT_EQ(opened_for(), Seconds{20.0});
}

// Linkerd: a success ends the doubling.
TEST(CircuitBreaker, EndsItsDoublingWithASuccess) {
  Scenario s = fleet_of(1);
  s.router.breaker->half_open = HalfOpen::none;
  s.router.breaker->open_growth = OpenGrowth::exponential;
  CircuitBreakers breakers(s);
  EXPECT_FALSE(breakers.sweeps());
  fail(breakers, kOne, 3, Seconds{0.0});
  breakers.wake(kOne, Seconds{10.0});
  attempt(breakers, kOne, TryOutcome::success, Seconds{10.0});
  EXPECT_EQ(fail(breakers, kOne, 3, Seconds{11.0}), Seconds{21.0});
}

// LiteLLM: more than half of the tries of the last minute, and at least five of them.
TEST(CircuitBreaker, OpensByTheShareWithinItsWindow) {
  Scenario s = fleet_of(1);
  s.router.breaker->consecutive_failures = 0;
  s.router.breaker->failure_share = 0.5;
  s.router.breaker->min_tries = 5;
  CircuitBreakers breakers(s);
  EXPECT_FALSE(fail(breakers, kOne, 4, Seconds{0.0})) << "four are too few";
  for (int i = 0; i < 4; ++i) attempt(breakers, kOne, TryOutcome::success, Seconds{30.0});
  EXPECT_TRUE(fail(breakers, kOne, 1, Seconds{59.0})) << "five of nine";

  CircuitBreakers forgetful(s);
  fail(forgetful, kOne, 4, Seconds{0.0});
  for (int i = 0; i < 4; ++i) attempt(forgetful, kOne, TryOutcome::success, Seconds{30.0});
  EXPECT_FALSE(fail(forgetful, kOne, 1, Seconds{61.0})) << "one of five, the first are forgotten";
}

TEST(CircuitBreaker, CountsClientErrorsOnlyWhereToldTo) {
  Scenario s = fleet_of(1);
  CircuitBreakers fair(s);
  s.router.breaker->counts_client_errors = true;
  CircuitBreakers unfair(s);
  for (int i = 0; i < 3; ++i) {
    attempt(fair, kOne, TryOutcome::client_error, Seconds{0.0});
    attempt(unfair, kOne, TryOutcome::client_error, Seconds{0.0});
  }
  EXPECT_TRUE(fair.admits(kOne));
  EXPECT_FALSE(unfair.admits(kOne));
}

TEST(CircuitBreaker, KeepsMostOfAPoolClosed) {
  Scenario s = fleet_of(10);
  s.router.breaker->max_open_share = 0.2;
  CircuitBreakers breakers(s);
  int open = 0;
  for (std::uint32_t t = 0; t < 10; ++t)
    open += fail(breakers, BackendId{t}, 3, Seconds{0.0}) ? 1 : 0;
  EXPECT_EQ(open, 2);
  s.router.breaker->max_open_share = 0.0;
  CircuitBreakers strict(s);
  EXPECT_TRUE(fail(strict, kOne, 3, Seconds{0.0})) << "one always may be open";
}

// Rates 1, 1, 1, 1, 1, 0.5: mean 11/12, deviation 0.1863; 1.9 of them below is 0.5626.
TEST(CircuitBreaker, SweepsForRatesFarBelowTheMean) {
  Scenario s = fleet_of(6);
  s.router.breaker->consecutive_failures = 0;
  s.router.breaker->deviations = 1.9;
  s.router.breaker->deviation_min_tries = 100;
  CircuitBreakers breakers(s);
  const auto serve = [&](int tries) {
    for (std::uint32_t t = 0; t < 6; ++t)
      for (int i = 0; i < tries; ++i)
        attempt(breakers, BackendId{t},
                t == 5 && i % 2 == 0 ? TryOutcome::failure : TryOutcome::success, Seconds{1.0});
  };
  serve(98);
  EXPECT_TRUE(breakers.sweep(Seconds{10.0}).empty()) << "too few tries to judge";
  serve(100);
  const auto opened = breakers.sweep(Seconds{20.0});
  ASSERT_EQ(opened.size(), 1U);
  EXPECT_EQ(opened[0].target, BackendId{5});
  EXPECT_EQ(opened[0].until, Seconds{30.0});
  EXPECT_FALSE(breakers.admits(BackendId{5}));
}

// Pool 0 at 1, pool 1 at 0.9: within each all are alike. Over both the mean were 0.95, sigma 0.05.
TEST(CircuitBreaker, ComparesWithinAPool) {
  Scenario s = fleet_of(6);
  s.pools.resize(2);
  for (std::uint32_t t = 3; t < 6; ++t) s.backends[t].pool = PoolId{1};
  s.router.breaker->consecutive_failures = 0;
  s.router.breaker->deviations = 0.9;
  s.router.breaker->deviation_min_targets = 3;
  CircuitBreakers breakers(s);
  for (std::uint32_t t = 0; t < 6; ++t)
    for (int i = 0; i < 100; ++i)
      attempt(breakers, BackendId{t}, t >= 3 && i < 10 ? TryOutcome::failure : TryOutcome::success,
              Seconds{1.0});
  EXPECT_TRUE(breakers.sweep(Seconds{10.0}).empty());
}

TEST(CircuitBreaker, ClosesOnAnAnsweredProbeWhereToldTo) {
  Scenario s = fleet_of(1);
  CircuitBreakers stays(s);
  s.router.breaker->closes_on_probe = true;
  CircuitBreakers closes(s);
  for (CircuitBreakers* breakers : {&stays, &closes}) {
    fail(*breakers, kOne, 3, Seconds{0.0});
    breakers->probe_answered(kOne);
  }
  EXPECT_FALSE(stays.admits(kOne));
  EXPECT_TRUE(closes.admits(kOne));
}

TEST(CircuitBreaker, StaysClosedWithoutSettings) {
  Scenario s = fleet_of(1);
  s.router.breaker.reset();
  CircuitBreakers breakers(s);
  EXPECT_FALSE(fail(breakers, kOne, 100, Seconds{0.0}));
  EXPECT_TRUE(breakers.admits(kOne));
}

}  // namespace
}  // namespace specroute::sim
