// A quarantine as the router carries it out: who serves, until when, and when it declines.
#include <gtest/gtest.h>

#include "tests/unit/sim_routing/scripted_world.hpp"

namespace specroute::sim {
namespace {

constexpr const char* kBreaker = R"({"gate": "error_breaker", "quarantine_s": 30})";

/// Both targets serve.
Scenario two_pairings() {
  Scenario s = small_fleet();
  s.backends[1].standby = false;
  s.pairings.push_back({kStandby, kSpareDraft});
  return s;
}

void fail_ten(ScriptedWorld& world, Seconds date) {
  world.at(date, [&world] {
    world.control.on_health(kTarget, {.tries = 10, .errors = 6, .timeouts = 4}, world.now);
  });
}

// Fewest outstanding: without the quarantine the second request would go to the other target.
TEST(Quarantine, KeepsRequestsFromThePairingUntilItsEnd) {
  ScriptedWorld world(two_pairings(), kBreaker);
  fail_ten(world, Seconds{2.0});
  world.run_until(Seconds{3.0});
  ASSERT_EQ(world.said(SRP_QUARANTINE).size(), 1U);
  EXPECT_EQ(world.dispatcher.choose(kPool), kStandby);
  EXPECT_EQ(world.dispatcher.choose(kPool), kStandby);
  EXPECT_EQ(world.draft_of(kTarget), kDraft) << "it stays bound";
  world.run_until(Seconds{31.9});
  EXPECT_EQ(world.dispatcher.choose(kPool), kStandby);
  world.run_until(Seconds{32.1});
  EXPECT_EQ(world.dispatcher.choose(kPool), kTarget);
  ASSERT_FALSE(world.said(SRP_HOLD).empty());
  EXPECT_EQ(world.reason(world.said(SRP_HOLD).back()), "half_open");
}

TEST(Quarantine, EndsTheReward) {
  ScriptedWorld world(two_pairings(), kBreaker);
  fail_ten(world, Seconds{2.0});
  world.run_until(Seconds{1.9});
  const PairingId pairing = world.control.serving(kTarget);
  EXPECT_GT(world.control.pairing(pairing).locked_until, world.now);
  world.run_until(Seconds{2.1});
  EXPECT_EQ(world.control.pairing(pairing).locked_until, Seconds{0.0});
  EXPECT_TRUE(world.control.pairing(pairing).rejected);
  world.run_until(Seconds{32.1});
  EXPECT_FALSE(world.control.pairing(pairing).rejected);
}

TEST(Quarantine, IsDeclinedWhereNobodyElseServes) {
  ScriptedWorld world(small_fleet(), kBreaker);
  fail_ten(world, Seconds{2.0});
  world.run_until(Seconds{3.0});
  ASSERT_EQ(world.said(SRP_QUARANTINE).size(), 1U);
  EXPECT_EQ(world.reason(world.said(SRP_HOLD).back()), "quarantine_declined");
  EXPECT_EQ(world.dispatcher.choose(kPool), kTarget);
}

// Dead at 3 s, noticed, no standby; up at 5 s and bound at the next attempt: another pairing.
TEST(Quarantine, EndsWithItsPairing) {
  ScriptedWorld world(two_pairings(), kBreaker);
  fail_ten(world, Seconds{2.0});
  world.crash(kTarget, Seconds{3.0});
  world.restart(kTarget, Seconds{5.0});
  world.run_until(Seconds{10.0});
  ASSERT_TRUE(world.control.serving(kTarget).exists());
  EXPECT_EQ(world.dispatcher.choose(kPool), kTarget);
}

TEST(Quarantine, OfAQualityProbeComesFromTheDetectorsVerdicts) {
  ScriptedWorld world(two_pairings(), R"({"gate": "quality_probe"})");
  world.at(Seconds{2.0}, [&world] {
    world.control.on_quality(world.control.serving(kTarget), kProfile,
                             {.sampled = 100, .looping = 20, .schema_invalid = 5}, world.now);
  });
  world.run_until(Seconds{3.0});
  ASSERT_EQ(world.said(SRP_QUARANTINE).size(), 1U);
  EXPECT_EQ(world.reason(world.said(SRP_QUARANTINE)[0]), "too_many_degraded");
  EXPECT_EQ(world.dispatcher.choose(kPool), kStandby);
}

}  // namespace
}  // namespace specroute::sim
