// One draft for several targets: capacity, and replacements that are assigned together.
#include <gtest/gtest.h>

#include "tests/unit/sim_routing/scripted_world.hpp"

namespace specroute::sim {
namespace {

constexpr const char* kValidity = R"({"gate": "validity", "cool_down_s": 3, "no_draft_s": 4})";

/// Targets 0 and 1 share draft 2, which has room for two; draft 3 is free.
Scenario shared() {
  Scenario s = small_fleet();
  s.backends[kStandby.index()].standby = false;
  s.backends[kDraft.index()].hosting.max_targets = 2;
  s.pairings = {{kTarget, kDraft}, {kStandby, kDraft}};
  return s;
}

TEST(SharedDraft, ServesSeveralTargets) {
  ScriptedWorld world(shared(), kValidity);
  world.run_until(Seconds{1.0});
  EXPECT_EQ(world.draft_of(kTarget), kDraft);
  EXPECT_EQ(world.draft_of(kStandby), kDraft);
}

TEST(SharedDraft, IsReplacedForAllOfThem) {
  Scenario s = shared();
  s.backends[kSpareDraft.index()].hosting.max_targets = 2;
  ScriptedWorld world(std::move(s), kValidity);
  world.crash(kDraft, Seconds{2.0});
  world.run_until(Seconds{3.0});
  EXPECT_EQ(world.draft_of(kTarget), kSpareDraft);
  EXPECT_EQ(world.draft_of(kStandby), kSpareDraft);
}

TEST(SharedDraft, LeavesOneTargetAloneWhereTheOtherDraftHasRoomForOne) {
  ScriptedWorld world(shared(), kValidity);
  world.crash(kDraft, Seconds{2.0});
  world.run_until(Seconds{3.0});
  EXPECT_EQ(world.draft_of(kTarget), kSpareDraft);
  EXPECT_FALSE(world.draft_of(kStandby).exists());
  EXPECT_TRUE(world.control.serving(kStandby).exists());
}

TEST(SharedDraft, ThatLosesOneTargetKeepsTheOther) {
  Scenario s = shared();
  s.backends.push_back(small_backend("target-2", Role::target));
  s.backends.back().standby = true;
  ScriptedWorld world(std::move(s), kValidity);
  world.crash(kTarget, Seconds{2.0});
  world.run_until(Seconds{3.0});
  EXPECT_EQ(world.draft_of(kStandby), kDraft);
  EXPECT_TRUE(world.draft_of(kThird).exists());
}

// Targets 0 and 1 lose their drafts 2 and 3. The first is promised spare 4 from 2.3 s and bound to
// it at 2.36 s; whenever the second loses its own, spare 5 is the less loaded.
TEST(SharedDraft, CountsAPromisedTargetAsItsLoad) {
  for (const double between : {0.0, 0.03, 1.0}) {
    Scenario s = small_fleet();
    s.backends[kStandby.index()].standby = false;
    s.pairings = {{kTarget, kDraft}, {kStandby, kSpareDraft}};
    for (const char* name : {"spare-0", "spare-1"}) {
      s.backends.push_back(small_backend(name, Role::draft));
      s.backends.back().standby = true;
      s.backends.back().hosting.max_targets = 2;
    }
    ScriptedWorld world(std::move(s), kValidity);
    world.crash(kDraft, Seconds{2.0});
    world.crash(kSpareDraft, Seconds{2.0 + between});
    world.run_until(Seconds{4.0});
    EXPECT_EQ(world.draft_of(kTarget), BackendId{4}) << between;
    EXPECT_EQ(world.draft_of(kStandby), BackendId{5}) << between;
  }
}

/// Target 0 may take either draft that is left, target 1 only draft 3.
Scenario unequal(AssignmentRule rule) {
  Scenario s = shared();
  s.pools.push_back({.name = "lent", .speculation = {}});
  s.pools.push_back({.name = "guided", .speculation = s.pools[0].speculation});
  s.pools[0].draft_pools = {PoolId{1}};
  s.pools[2].draft_pools = {kPool};
  s.backends[kStandby.index()].pool = PoolId{2};
  s.classes.push_back(s.classes[0]);
  s.classes.back().pool = PoolId{2};
  s.backends.push_back(small_backend("draft-2", Role::draft));
  s.backends.back().pool = PoolId{1};
  s.router.assignment = rule;
  return s;
}

TEST(SharedDraft, IsReplacedForBothByFlowAndForOneByGreed) {
  for (const auto rule : {AssignmentRule::flow, AssignmentRule::greedy}) {
    ScriptedWorld world(unequal(rule), kValidity);
    world.crash(kDraft, Seconds{2.0});
    world.run_until(Seconds{3.0});
    const bool flow = rule == AssignmentRule::flow;
    EXPECT_EQ(world.draft_of(kTarget), flow ? kThird : kSpareDraft);
    EXPECT_EQ(world.draft_of(kStandby), flow ? kSpareDraft : BackendId{});
  }
}

}  // namespace
}  // namespace specroute::sim
