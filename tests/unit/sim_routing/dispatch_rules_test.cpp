// The dispatch rules that draw, look at caches, or stick.
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "sim/routing/dispatcher.hpp"
#include "tests/unit/sim_routing/small_fleet.hpp"

namespace specroute::sim {
namespace {

struct Router {
  explicit Router(const Scenario& scenario, std::uint64_t seed = 1)
      : dispatcher(scenario, models::Seed{seed}) {
    for (const BackendId target : {kTarget, kStandby, kThird}) dispatcher.open(target, 0);
  }
  /// A turn of a session that ends at once.
  BackendId turn(std::uint64_t session, double now = 0.0) {
    const auto choice = dispatcher.choose(
        {.pool = kPool, .request = RequestId{++requests}, .session = session, .now = Seconds{now}});
    dispatcher.ended({choice->target});
    return choice->target;
  }
  Dispatcher dispatcher;
  std::uint64_t requests = 0;
};

// Target 2 holds 100 requests, so it wins no comparison; the others are even, and ties go to the
// lower id: of the three pairs, each drawn 1/3 of the time, 0 wins two and 1 one. 3,000 draws:
// standard deviation sqrt(3000 * 2/9) = 26.
TEST(PowerOfTwo, ComparesTwoTargetsDrawnEvenly) {
  Scenario s = three_targets(Dispatch::power_of_two);
  Router router(s);
  router.dispatcher.close(kTarget);
  router.dispatcher.close(kStandby);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(router.dispatcher.choose(kPool), kThird);
  router.dispatcher.open(kTarget, 0);
  router.dispatcher.open(kStandby, 0);
  std::map<BackendId, int> taken;
  for (int i = 0; i < 3000; ++i) ++taken[router.turn(0)];
  EXPECT_NEAR(taken[kTarget], 2000, 4 * 26);
  EXPECT_NEAR(taken[kStandby], 1000, 4 * 26);
  EXPECT_EQ(taken[kThird], 0);
}

TEST(PowerOfTwo, DrawsTheSameUnderOneSeedAndOtherwiseUnderAnother) {
  const Scenario s = three_targets(Dispatch::power_of_two);
  Router one(s), same(s), other(s, 2);
  int differ = 0;
  for (int i = 0; i < 200; ++i) {
    const BackendId chosen = one.turn(0);
    ASSERT_EQ(chosen, same.turn(0));
    differ += chosen != other.turn(0);
  }
  EXPECT_GT(differ, 20);
}

/// Dispatches a prompt of four hashed blocks and a bit.
std::optional<DispatchChoice> send(Router& router, std::span<const models::BlockHash> chain,
                                   double now) {
  return router.dispatcher.choose({.pool = kPool,
                                   .request = RequestId{++router.requests},
                                   .prompt_tokens = 2100,
                                   .prefix = chain,
                                   .now = Seconds{now}});
}

CacheEvent cached(BackendId target, models::BlockHash hash) {
  return {.target = target, .engine = 0, .hash = hash};
}

// A match counts above 0.3 of the prompt: two blocks of 512 in 2,100 tokens are 0.49, one is 0.24.
TEST(PrefixAware, TakesTheLongestMatchThatIsLongEnough) {
  Router router(three_targets(Dispatch::prefix_aware));
  const std::vector<models::BlockHash> chain{1, 2, 3, 4};
  router.dispatcher.on_cache_event(cached(kStandby, 1), Seconds{0.0});
  router.dispatcher.on_cache_event(cached(kThird, 1), Seconds{0.0});
  router.dispatcher.on_cache_event(cached(kThird, 9), Seconds{0.0});
  EXPECT_EQ(send(router, chain, 1.0)->target, kTarget) << "the emptiest cache";
  router.dispatcher.on_cache_event(cached(kThird, 2), Seconds{1.0});
  const auto choice = send(router, chain, 1.0);
  EXPECT_EQ(choice->target, kThird);
  EXPECT_EQ(choice->engine, 0U);
  router.dispatcher.on_cache_event(cached(kStandby, 2), Seconds{1.0});
  EXPECT_EQ(send(router, chain, 1.0)->target, kStandby) << "a tie goes to the less loaded";
  EXPECT_EQ(send(router, chain, 1.0)->target, kStandby) << "and then to the lower id";
}

TEST(PrefixAware, SeesCachesAsStaleAsTheScenarioSays) {
  Scenario s = three_targets(Dispatch::prefix_aware);
  s.router.dispatching.prefix.staleness = Seconds{5.0};
  Router router(s);
  const std::vector<models::BlockHash> chain{1, 2, 3, 4};
  for (const models::BlockHash hash : {1U, 2U})
    router.dispatcher.on_cache_event(cached(kThird, hash), Seconds{1.0});
  EXPECT_EQ(send(router, chain, 5.9)->target, kTarget);
  EXPECT_EQ(send(router, chain, 6.0)->target, kThird);
  router.dispatcher.on_cache_event({.target = kThird, .kind = CacheEvent::Kind::cleared},
                                   Seconds{7.0});
  EXPECT_EQ(send(router, chain, 11.9)->target, kThird) << "its cache is gone, and nobody knows";
  EXPECT_NE(send(router, chain, 12.0)->target, kThird);
}

// Most - least > 64 and most > 1.5 least: from then on the cached target gets no more.
TEST(PrefixAware, PrefersBalanceOnceLoadsAreUneven) {
  Router router(three_targets(Dispatch::prefix_aware));
  const std::vector<models::BlockHash> chain{1, 2, 3, 4};
  for (const models::BlockHash hash : chain)
    router.dispatcher.on_cache_event(cached(kThird, hash), Seconds{0.0});
  for (int i = 0; i < 65; ++i) ASSERT_EQ(send(router, chain, 1.0)->target, kThird) << i;
  EXPECT_EQ(send(router, chain, 1.0)->target, kTarget);
}

/// One target of four engines.
Scenario four_engines() {
  Scenario s = three_targets(Dispatch::prefix_aware);
  s.backends[kTarget.index()].engines = 4;
  return s;
}

struct FourEngines : Router {
  explicit FourEngines(const Scenario& scenario = four_engines()) : Router(scenario) {
    for (const BackendId other : {kStandby, kThird}) dispatcher.close(other);
  }
  void cache_on(std::uint32_t engine) {
    for (const models::BlockHash hash : chain)
      dispatcher.on_cache_event({.target = kTarget, .engine = engine, .hash = hash}, Seconds{0.0});
  }
  std::optional<std::uint32_t> take() { return send(*this, chain, 1.0)->engine; }
  const std::vector<models::BlockHash> chain{1, 2, 3, 4};
};

// The rule is over engines: 65 on engine 2 are more than 64 above the none on engine 0.
TEST(PrefixAware, SeesUnevenLoadsWithinOneTarget) {
  FourEngines router;
  router.cache_on(2);
  for (int i = 0; i < 65; ++i) ASSERT_EQ(router.take(), 2U) << i;
  for (const std::uint32_t engine : {0U, 1U, 3U}) EXPECT_EQ(router.take(), engine);
  EXPECT_EQ(router.take(), 2U) << "65 and 1 differ by 64: even";
  router.dispatcher.ended({kTarget, 1U});
  EXPECT_EQ(router.take(), 1U) << "66 and 0";
}

TEST(PrefixAware, SharesAPrefixThatEveryEngineHolds) {
  FourEngines router;
  for (const std::uint32_t engine : {0U, 1U, 2U, 3U}) router.cache_on(engine);
  for (int turn = 0; turn < 3; ++turn)
    for (const std::uint32_t engine : {0U, 1U, 2U, 3U}) EXPECT_EQ(router.take(), engine);
  router.dispatcher.ended({kTarget, 2U});
  EXPECT_EQ(router.take(), 2U);
}

TEST(PrefixAware, TakesTheEmptiestEngineThenTheLeastLoaded) {
  FourEngines router;
  router.dispatcher.on_cache_event({.target = kTarget, .engine = 0, .hash = 9}, Seconds{0.0});
  for (const std::uint32_t engine : {1U, 2U, 3U, 1U}) EXPECT_EQ(router.take(), engine);
}

// Two for each engine: the third request goes elsewhere, the ninth nowhere.
TEST(PrefixAware, LetsNoEngineHoldMoreThanTheLimit) {
  Scenario s = four_engines();
  s.router.max_outstanding_per_engine = 2;
  FourEngines router(s);
  router.cache_on(2);
  for (const std::uint32_t engine : {2U, 2U, 0U, 1U, 3U, 0U, 1U, 3U})
    EXPECT_EQ(router.take(), engine);
  EXPECT_FALSE(send(router, router.chain, 1.0).has_value());
}

/// Sessions go where fewest requests are, lowest id first, and stick.
Scenario sticky_targets() {
  Scenario s = three_targets(Dispatch::session_sticky);
  s.router.dispatching.session.assignment = SessionAssignment::least_outstanding;
  return s;
}

// A to B while A is away, and back to A as soon as it is open: no look at what A is by then.
TEST(SessionSticky, BouncesFromAToBToA) {
  Router router(sticky_targets());
  EXPECT_EQ(router.turn(1), kTarget);
  router.dispatcher.close(kTarget);
  EXPECT_EQ(router.turn(1), kStandby);
  EXPECT_EQ(router.turn(2), kStandby);
  router.dispatcher.open(kTarget, 0);
  EXPECT_EQ(router.turn(1), kTarget);
  EXPECT_EQ(router.turn(2), kStandby) << "it began at B";
}

TEST(SessionSticky, ReplacesTheSecondTargetWhereBothAreAway) {
  Router router(sticky_targets());
  EXPECT_EQ(router.turn(1), kTarget);
  router.dispatcher.close(kTarget);
  EXPECT_EQ(router.turn(1), kStandby);
  router.dispatcher.close(kStandby);
  EXPECT_EQ(router.turn(1), kThird);
  router.dispatcher.open(kStandby, 0);
  EXPECT_EQ(router.turn(1), kThird);
  router.dispatcher.open(kTarget, 0);
  EXPECT_EQ(router.turn(1), kTarget);
}

TEST(SessionSticky, ATargetThatIsFullLosesATurnAndNoSession) {
  Scenario s = sticky_targets();
  s.router.max_outstanding_per_engine = 1;
  Router router(s);
  const DispatchRequest turn{.pool = kPool, .session = 1};
  EXPECT_EQ(router.dispatcher.choose(turn)->target, kTarget);
  EXPECT_EQ(router.dispatcher.choose(turn)->target, kStandby);
  router.dispatcher.ended({kTarget});
  EXPECT_EQ(router.dispatcher.choose(turn)->target, kTarget);
}

TEST(SessionSticky, ForgetsASessionThatIsIdleForTooLong) {
  Scenario s = three_targets(Dispatch::session_sticky);
  s.router.dispatching.session = {.assignment = SessionAssignment::least_outstanding,
                                  .idle_limit = Seconds{100.0}};
  Router router(s);
  router.dispatcher.close(kTarget);
  EXPECT_EQ(router.turn(1, 0.0), kStandby);
  router.dispatcher.open(kTarget, 0);
  EXPECT_EQ(router.turn(1, 100.0), kStandby);
  EXPECT_EQ(router.turn(1, 200.1), kTarget);
}

// Sessions of one turn each: 0.2 of 5,000 go wrong, deviation sqrt(5000 * 0.16) = 28. Their later
// turns stay wrong when the share is back at 0; without sessions the share of requests follows.
TEST(Misrouting, LastsWhereSessionsStick) {
  Scenario s = sticky_targets();
  s.router.dispatching.misrouting = {{Seconds{10.0}, 0.2, kThird}, {Seconds{20.0}, 0.0, kThird}};
  Router router(s);
  for (std::uint64_t session = 1; session <= 100; ++session)
    EXPECT_EQ(router.turn(session, 5.0), kTarget);
  for (std::uint64_t session = 1; session <= 100; ++session)
    EXPECT_EQ(router.turn(session, 15.0), kTarget) << "it has its target";
  std::vector<std::uint64_t> wrong;
  for (std::uint64_t session = 101; session <= 5100; ++session)
    if (router.turn(session, 15.0) == kThird) wrong.push_back(session);
  EXPECT_NEAR(static_cast<double>(wrong.size()), 1000, 4 * 28);
  for (const std::uint64_t session : wrong) EXPECT_EQ(router.turn(session, 25.0), kThird);
  EXPECT_EQ(router.turn(9999, 25.0), kTarget);
}

TEST(Misrouting, FollowsTheShareWhereRequestsStandAlone) {
  Scenario s = three_targets(Dispatch::least_outstanding);
  s.router.dispatching.misrouting = {{Seconds{0.0}, 0.008, kThird}, {Seconds{10.0}, 0.16, kThird}};
  Router router(s);
  int before = 0, after = 0;
  for (int i = 0; i < 20'000; ++i) before += router.turn(0, 5.0) == kThird;
  for (int i = 0; i < 20'000; ++i) after += router.turn(0, 10.0) == kThird;
  EXPECT_NEAR(before, 160, 4 * 12.6);
  EXPECT_NEAR(after, 3200, 4 * 51.9);
  router.dispatcher.close(kThird);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(router.turn(0, 10.0), kTarget) << "nobody is there";
}

}  // namespace
}  // namespace specroute::sim
