#include "sim/topology/pairing_graph.hpp"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "tests/unit/sim_routing/small_fleet.hpp"

namespace specroute::sim {
namespace {

bool everybody(BackendId) {
  return true;
}

std::size_t partners_after(const std::function<void(Backend&)>& change) {
  Scenario s = small_fleet();
  change(s.backends[kDraft.index()]);
  const PairingGraph graph(s);
  return graph.partners(kTarget, everybody).size();
}

TEST(PairingGraph, HasAnEdgeOnlyWhereConfigurationsAgree) {
  EXPECT_EQ(partners_after([](Backend&) {}), 2U);
  EXPECT_EQ(partners_after([](Backend& draft) { draft.tokenizer = "other"; }), 1U);
  EXPECT_EQ(partners_after([](Backend& draft) { draft.kv_block_tokens = 32; }), 1U);
  EXPECT_EQ(partners_after([](Backend& draft) { draft.attention_mask = "prefix"; }), 1U);
  EXPECT_EQ(partners_after([](Backend& draft) { draft.pool = PoolId{1}; }), 1U);
}

TEST(PairingGraph, NeverPairsTwoOfOneRole) {
  const Scenario s = small_fleet();
  const PairingGraph graph(s);
  for (const auto& partner : graph.partners(kTarget, everybody))
    EXPECT_EQ(s.backends[partner.backend.index()].role, Role::draft);
  for (const auto& partner : graph.partners(kDraft, everybody))
    EXPECT_EQ(s.backends[partner.backend.index()].role, Role::target);
}

TEST(PairingGraph, OffersTheSameRackFirst) {
  Scenario s = small_fleet();
  s.backends[kDraft.index()].rack = "r2";
  const PairingGraph graph(s);
  const auto partners = graph.partners(kTarget, everybody);
  ASSERT_EQ(partners.size(), 2U);
  EXPECT_EQ(partners[0], (PairingGraph::Candidate{kSpareDraft, PairingGraph::kSameRack}));
  EXPECT_EQ(partners[1], (PairingGraph::Candidate{kDraft, PairingGraph::kOtherRack}));
}

TEST(PairingGraph, BreaksTiesByTheLowestId) {
  Scenario s = small_fleet();
  for (int i = 0; i < 3; ++i) s.backends.push_back(small_backend("more", Role::draft));
  const PairingGraph graph(s);
  const auto partners = graph.partners(kStandby, everybody);
  ASSERT_EQ(partners.size(), 5U);
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(partners[i].backend, BackendId{2 + i});
}

TEST(PairingGraph, LetsOnlyTheAllowedThrough) {
  const Scenario s = small_fleet();
  const PairingGraph graph(s);
  const auto partners = graph.partners(kTarget, [](BackendId b) { return b == kSpareDraft; });
  ASSERT_EQ(partners.size(), 1U);
  EXPECT_EQ(partners[0].backend, kSpareDraft);
  EXPECT_TRUE(graph.partners(kTarget, [](BackendId) { return false; }).empty());
}

}  // namespace
}  // namespace specroute::sim
