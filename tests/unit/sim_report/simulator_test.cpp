#include <specroute/simulator.hpp>

#include <gtest/gtest.h>

namespace specroute::simulator {
namespace {

const std::string kSmall = SPECROUTE_SOURCE_DIR "/tests/unit/sim_cli/small.json";

TEST(Simulate, GivesEqualResultsWhenCalledTwice) {
  const auto first = simulate(kSmall, {.gates = {"none"}, .seeds = {3, 4}, .jobs = 2});
  const auto second = simulate(kSmall, {.gates = {"none"}, .seeds = {3, 4}, .jobs = 1});
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first.value().gates[0].digests, second.value().gates[0].digests);
  EXPECT_EQ(first.value().json, second.value().json);
}

TEST(Simulate, GivesOtherDigestsForOtherSeeds) {
  const auto summary = simulate(kSmall, {.gates = {"none"}, .seeds = {3, 4}, .jobs = 2});
  ASSERT_TRUE(summary.ok());
  EXPECT_NE(summary.value().gates[0].digests[0], summary.value().gates[0].digests[1]);
}

TEST(Simulate, GivesEqualResultsInLockstep) {
  const auto fast = simulate(kSmall, {.gates = {"validity"}, .seeds = {7}});
  const auto slow = simulate(kSmall, {.gates = {"validity"}, .seeds = {7}, .lockstep = true});
  ASSERT_TRUE(fast.ok() && slow.ok());
  EXPECT_EQ(fast.value().json, slow.value().json);
}

TEST(Simulate, FailsWithTheDiagnosticsOfAScenario) {
  const auto summary = simulate("no such file.json", {});
  ASSERT_FALSE(summary.ok());
  EXPECT_EQ(summary.diagnostics()[0].file, "no such file.json");
}

TEST(Simulate, FailsWithEveryFaultOfItsOptions) {
  const auto summary = simulate(kSmall, {.gates = {}, .seeds = {}, .jobs = 0});
  ASSERT_FALSE(summary.ok());
  EXPECT_EQ(summary.diagnostics().size(), 2U);
}

TEST(Simulate, SaysWhichReplicationTookTooLong) {
  const auto summary =
      simulate(kSmall, {.gates = {"none"}, .seeds = {1}, .timeout = Seconds{1e-6}});
  ASSERT_FALSE(summary.ok());
  EXPECT_NE(summary.diagnostics()[0].place.find("gate none, seed 1"), std::string::npos);
}

}  // namespace
}  // namespace specroute::simulator
