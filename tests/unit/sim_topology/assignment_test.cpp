#include "sim/topology/assignment.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/unit/sim_routing/small_fleet.hpp"

namespace specroute::sim {
namespace {

constexpr PoolId kLent{1};

bool any(std::size_t, BackendId, BackendId) {
  return true;
}

std::size_t served(const Assignment& assignment) {
  std::size_t count = 0;
  for (const auto& each : assignment) count += each.has_value();
  return count;
}

/// Two targets and three drafts of one pool: 0, 1 and 2, 3, 4.
Scenario five() {
  Scenario s = small_fleet();
  s.backends.push_back(small_backend("draft-2", Role::draft));
  return s;
}

/// Target 0 may take draft 2 of its pool or draft 3 of the lent pool; target 1, of another pool,
/// the draft of pool 0 alone.
Scenario two_pools() {
  Scenario s = small_fleet();
  s.pools.push_back({.name = "lent", .speculation = {}});
  s.pools.push_back({.name = "guided", .speculation = s.pools[0].speculation});
  s.pools[0].draft_pools = {kLent};
  s.pools[2].draft_pools = {kPool};
  s.backends[1].pool = PoolId{2};
  s.backends[3].pool = kLent;
  return s;
}

const std::vector<PairingNeed> kBoth{{{kTarget}}, {{kStandby}}};

// Draft 2 is target 0's first choice and target 1's only one.
TEST(Assignment, ServesATargetThatGreedyChoiceLeavesUnserved) {
  const Scenario s = two_pools();
  const PairingGraph graph(s);
  const std::vector<DraftRoom> drafts{{.draft = kDraft}, {.draft = kSpareDraft}};
  const Assignment greedy = assign_greedily(graph, kBoth, drafts, any);
  EXPECT_EQ(greedy[0], (AssignedPairing{kTarget, kDraft}));
  EXPECT_EQ(greedy[1], std::nullopt);
  const Assignment flow = assign_by_flow(graph, kBoth, drafts, any);
  EXPECT_EQ(flow[0], (AssignedPairing{kTarget, kSpareDraft}));
  EXPECT_EQ(flow[1], (AssignedPairing{kStandby, kDraft}));
}

TEST(Assignment, EqualsGreedyChoiceForOneNeed) {
  Scenario s = five();
  s.backends[2].rack = "r2";
  const PairingGraph graph(s);
  const std::vector<DraftRoom> drafts{{.draft = BackendId{2}, .room = 2},
                                      {.draft = BackendId{3}, .room = 2, .bound = 1},
                                      {.draft = BackendId{4}, .room = 1}};
  for (const BackendId target : {kTarget, kStandby}) {
    const std::vector<PairingNeed> need{{{target}}};
    EXPECT_EQ(assign_by_flow(graph, need, drafts, any), assign_greedily(graph, need, drafts, any));
    EXPECT_EQ(assign_by_flow(graph, need, drafts, any)[0], (AssignedPairing{target, BackendId{4}}));
  }
}

TEST(Assignment, KeepsToCapacity) {
  const Scenario s = small_fleet();
  const PairingGraph graph(s);
  const std::vector<DraftRoom> one{{.draft = kDraft, .room = 1}};
  EXPECT_EQ(served(assign_by_flow(graph, kBoth, one, any)), 1U);
  const std::vector<DraftRoom> two{{.draft = kDraft, .room = 2}};
  EXPECT_EQ(served(assign_by_flow(graph, kBoth, two, any)), 2U);
  EXPECT_EQ(served(assign_by_flow(graph, kBoth, {}, any)), 0U);
}

// Load costs 1000 per target and engine, another rack 1 more: the second target goes across.
TEST(Assignment, SpreadsLoadBeforeItSavesTheNetwork) {
  Scenario s = small_fleet();
  s.backends[kSpareDraft.index()].rack = "r2";
  const PairingGraph graph(s);
  const std::vector<DraftRoom> drafts{{.draft = kDraft, .room = 2},
                                      {.draft = kSpareDraft, .room = 2}};
  const Assignment flow = assign_by_flow(graph, kBoth, drafts, any);
  EXPECT_EQ(flow[0], (AssignedPairing{kTarget, kDraft}));
  EXPECT_EQ(flow[1], (AssignedPairing{kStandby, kSpareDraft}));
}

// Target 0 in rack 2, where draft 2 is; target 1 in rack 1, where draft 3 is.
TEST(Assignment, KeepsEachTargetInItsRack) {
  Scenario s = small_fleet();
  s.backends[kTarget.index()].rack = s.backends[kSpareDraft.index()].rack = "r2";
  const PairingGraph graph(s);
  const std::vector<DraftRoom> drafts{{.draft = kDraft}, {.draft = kSpareDraft}};
  const Assignment flow = assign_by_flow(graph, kBoth, drafts, any);
  EXPECT_EQ(flow[0], (AssignedPairing{kTarget, kSpareDraft}));
  EXPECT_EQ(flow[1], (AssignedPairing{kStandby, kDraft}));
}

TEST(Assignment, BreaksTiesByTheLowestId) {
  const Scenario s = five();
  const PairingGraph graph(s);
  const std::vector<DraftRoom> drafts{
      {.draft = BackendId{2}}, {.draft = BackendId{3}}, {.draft = BackendId{4}}};
  const Assignment flow = assign_by_flow(graph, kBoth, drafts, any);
  EXPECT_EQ(flow[0], (AssignedPairing{kTarget, BackendId{2}}));
  EXPECT_EQ(flow[1], (AssignedPairing{kStandby, BackendId{3}}));
  // Two lost targets, two on standby: who comes first takes the lower.
  const std::vector<PairingNeed> lost{{{kTarget, kStandby}}, {{kTarget, kStandby}}};
  EXPECT_EQ(assign_by_flow(graph, lost, drafts, any), flow);
}

/// `targets` equal targets, then `drafts` equal drafts.
Scenario equals(std::uint32_t targets, std::uint32_t drafts) {
  Scenario s = small_fleet();
  s.backends.clear();
  for (std::uint32_t t = 0; t < targets; ++t)
    s.backends.push_back(small_backend("target", Role::target));
  for (std::uint32_t d = 0; d < drafts; ++d)
    s.backends.push_back(small_backend("draft", Role::draft));
  return s;
}

/// Needs 0, 1, ... have target and draft 0, 1, ... of `equals` as long as there are drafts.
Assignment in_order(std::uint32_t targets, std::uint32_t drafts) {
  Assignment expected(targets);
  for (std::uint32_t n = 0; n < std::min(targets, drafts); ++n)
    expected[n] = AssignedPairing{BackendId{n}, BackendId{targets + n}};
  return expected;
}

TEST(Assignment, LeavesTheLastOfEqualNeedsUnserved) {
  for (const std::uint32_t targets : {3U, 40U})
    for (const std::uint32_t spares : {1U, 2U, targets / 2, targets}) {
      const Scenario s = equals(targets, spares);
      const PairingGraph graph(s);
      std::vector<PairingNeed> drafts_lost, targets_lost(targets);
      for (std::uint32_t t = 0; t < targets; ++t) {
        drafts_lost.push_back({{BackendId{t}}});
        for (PairingNeed& need : targets_lost) need.targets.push_back(BackendId{t});
      }
      std::vector<DraftRoom> drafts;
      for (std::uint32_t d = 0; d < spares; ++d)
        drafts.push_back({.draft = BackendId{targets + d}});
      const Assignment expected = in_order(targets, spares);
      EXPECT_EQ(assign_by_flow(graph, drafts_lost, drafts, any), expected) << spares;
      EXPECT_EQ(assign_greedily(graph, drafts_lost, drafts, any), expected) << spares;
      EXPECT_EQ(assign_by_flow(graph, targets_lost, drafts, any), expected) << spares;
    }
}

TEST(Assignment, GivesTheOnlyStandbyToTheFirstWhoWantsIt) {
  const Scenario s = small_fleet();
  const PairingGraph graph(s);
  const std::vector<PairingNeed> lost(3, {{kStandby}});
  const Assignment flow = assign_by_flow(graph, lost, {{.draft = kDraft}}, any);
  EXPECT_EQ(flow, (Assignment{AssignedPairing{kStandby, kDraft}, std::nullopt, std::nullopt}));
}

// The order decides between equal costs only: another rack costs 1 more.
TEST(Assignment, ServesALaterNeedWhereThatIsCheaper) {
  Scenario s = small_fleet();
  s.backends[kTarget.index()].rack = "r2";
  const PairingGraph graph(s);
  const Assignment flow = assign_by_flow(graph, kBoth, {{.draft = kDraft}}, any);
  EXPECT_EQ(flow, (Assignment{std::nullopt, AssignedPairing{kStandby, kDraft}}));
}

TEST(Assignment, NeverPairsWhatTheConstraintForbids) {
  const Scenario s = small_fleet();
  const PairingGraph graph(s);
  const std::vector<DraftRoom> drafts{{.draft = kDraft}, {.draft = kSpareDraft}};
  const auto not_the_first = [](std::size_t need, BackendId, BackendId draft) {
    return need != 0 || draft != kDraft;
  };
  const Assignment flow = assign_by_flow(graph, kBoth, drafts, not_the_first);
  EXPECT_EQ(flow[0], (AssignedPairing{kTarget, kSpareDraft}));
  EXPECT_EQ(flow[1], (AssignedPairing{kStandby, kDraft}));
}

}  // namespace
}  // namespace specroute::sim
