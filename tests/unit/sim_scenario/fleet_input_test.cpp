// Counts, shared and co-located drafts, draft pools and topology as scenario files say them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/scenario/pairable.hpp"
#include "tests/unit/sim_scenario/minimal.hpp"

namespace specroute::sim {
namespace {

using testing::HasSubstr;

const std::string kTargetName = R"("name": "target-1", "role")";
const std::string kDraftName = R"("name": "draft-1", "role")";

/// `text` with the first `before` made `after`.
std::string with(std::string text, const std::string& before, const std::string& after) {
  const auto place = text.find(before);
  EXPECT_NE(place, std::string::npos) << before;
  return text.replace(place, before.size(), after);
}

std::string with_target_and_draft(const std::string& target, const std::string& draft) {
  return with(with(minimal_text(), kTargetName, target + kTargetName), kDraftName,
              draft + kDraftName);
}

TEST(FleetInput, DefaultsToOneBackendOnANodeOfItsOwn) {
  const Scenario s = accepted(minimal_text());
  const Hosting& hosting = s.backends.at(0).hosting;
  EXPECT_EQ(hosting.node, "");
  EXPECT_EQ(hosting.max_targets, 1U);
  EXPECT_FALSE(hosting.on_devices_of.exists());
  EXPECT_EQ(hosting.slow_factor, 1.0);
  EXPECT_EQ(s.network.topology, Topology::star);
  EXPECT_FALSE(s.network.spine);
  EXPECT_FALSE(s.network.storage);
}

TEST(FleetInput, CountsBackendsAndSpreadsTargetsOverDrafts) {
  const auto text =
      with(with_target_and_draft(R"("count": 3, )", R"("count": 2, "max_targets": 2, )"),
           R"("backend": "target-1")", R"("backend": "target-1-2")");
  const Scenario s = accepted(with(text, R"("backend": "draft-1")", R"("backend": "draft-1-2")"));
  ASSERT_EQ(s.backends.size(), 5U);
  EXPECT_EQ(s.backends[2].name, "target-1-3");
  EXPECT_EQ(s.backends[3].name, "draft-1-1");
  ASSERT_EQ(s.pairings.size(), 3U);
  EXPECT_EQ(s.pairings[1].draft, BackendId{4});
  EXPECT_EQ(s.pairings[2].draft, BackendId{3});
  EXPECT_EQ(s.faults.at(0).backend, BackendId{1});
}

TEST(FleetInput, PutsACoLocatedDraftOnItsTargetsDevices) {
  const std::string target = R"("rack": "r7", "node": "n7", )";
  const std::string device = R"("device": "A10G-24")";
  const auto text = with(with_target_and_draft(target, R"("colocated_with": "target-1", )"), device,
                         R"("device": "H100-SXM-80")");
  const Scenario s = accepted(text);
  EXPECT_EQ(s.backends.at(1).hosting.on_devices_of, BackendId{0});
  EXPECT_EQ(s.backends.at(1).rack, "r7");
  EXPECT_EQ(s.backends.at(1).hosting.node, "n7");
  EXPECT_TRUE(same_node(s, BackendId{0}, BackendId{1}));
  EXPECT_EQ(devices_of(s.backends.at(0)), 1U);
  EXPECT_EQ(devices_of(s.backends.at(1)), 0U);
}

TEST(FleetInput, LetsAPoolDrawOnADraftPool) {
  std::string text = with(minimal_text(), R"("pools": [)", R"("draft_pools": [{"name": "lent"}],
    "pools": [)");
  text = with(text, R"({"name": "main",)", R"({"name": "main", "draft_pools": ["lent"],)");
  text = with(text, R"("role": "draft", "pool": "main")", R"("role": "draft", "pool": "lent")");
  const Scenario s = accepted(text);
  ASSERT_EQ(s.pools.size(), 2U);
  EXPECT_EQ(s.backends.at(1).pool, PoolId{1});
  EXPECT_TRUE(pairable(s, BackendId{0}, BackendId{1}));
  EXPECT_THAT(faults_of(with(text, R"(["lent"])", "[]")), HasSubstr("/fleet/pairings/0/draft"));
}

}  // namespace
}  // namespace specroute::sim
