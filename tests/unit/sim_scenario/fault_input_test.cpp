// Faults and resilience as a file says them: taken apart, and presets by name.
#include <gtest/gtest.h>

#include "tests/unit/sim_scenario/minimal.hpp"

namespace specroute::sim {
namespace {

/// The minimal scenario with these faults, and this router.
Result<Scenario> with(const std::string& faults, const std::string& router = "{}") {
  return parsed(edited(
      R"("faults": [{"kind": "crash", "backend": "target-1", "at_s": 4, "restart_after_s": 2}])",
      R"("router": )" + router + R"(, "faults": )" + faults));
}

std::vector<Fault> faults_in(const std::string& faults) {
  const auto scenario = with(faults);
  EXPECT_TRUE(scenario.ok()) << format_diagnostics(scenario.diagnostics());
  return scenario.ok() ? scenario.value().faults : std::vector<Fault>{};
}

TEST(FaultInput, TakesARackApart) {
  const auto faults = faults_in(R"([{"kind": "crash", "rack": "rack-1", "at_s": 2}])");
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].backend, BackendId{0});
  EXPECT_EQ(faults[1].backend, BackendId{1});
  EXPECT_TRUE(faults[0].silent);
  const auto drain = faults_in(R"([{"kind": "drain", "pool": "main", "at_s": 2}])");
  EXPECT_EQ(drain.size(), 1U) << "a draft takes no work to be drained of";
}

/// The minimal scenario with its draft on its target's devices, and these faults.
Result<Scenario> on_one_device(const std::string& faults) {
  std::string text = edited(
      R"([{"kind": "crash", "backend": "target-1", "at_s": 4, "restart_after_s": 2}])", faults);
  const std::string draft = R"("device": "A10G-24")";
  text.replace(text.find(draft), draft.size(),
               R"("device": "H100-SXM-80", "colocated_with": "target-1")");
  return parsed(text);
}

TEST(FaultInput, SlowsADeviceOnceWhoeverIsOnIt) {
  const auto both = on_one_device(
      R"([{"kind": "slow", "pool": "main", "at_s": 2, "until_s": 4, "factor": 1.5}])");
  ASSERT_TRUE(both.ok()) << format_diagnostics(both.diagnostics());
  ASSERT_EQ(both.value().faults.size(), 1U);
  EXPECT_EQ(both.value().faults[0].backend, BackendId{0});
  const auto draft = on_one_device(R"([{"kind": "slow", "pool": "main", "role": "draft",
                                        "at_s": 2, "until_s": 4, "factor": 1.5}])");
  ASSERT_TRUE(draft.ok()) << format_diagnostics(draft.diagnostics());
  EXPECT_EQ(draft.value().faults.size(), 1U);
}

TEST(FaultInput, RefusesFailuresOfDevicesThatNobodyNamedHas) {
  const auto none = on_one_device(R"([{"kind": "random", "pool": "main", "role": "draft"}])");
  ASSERT_FALSE(none.ok());
  EXPECT_NE(format_diagnostics(none.diagnostics()).find("/faults/0/pool"), std::string::npos);
}

// The sequence begins so little after 0 that its step's end and beginning become one double.
TEST(FaultInput, RefusesAStepThatRoundingLeavesNoLength) {
  const auto scenario = with(R"([{"kind": "sequence", "at_s": 6e-17, "steps": [
      {"kind": "slow", "backend": "target-1", "at_s": 0.9999999999999999, "until_s": 1.0,
       "factor": 2}]}])");
  ASSERT_FALSE(scenario.ok());
  EXPECT_NE(format_diagnostics(scenario.diagnostics()).find("an end after the beginning"),
            std::string::npos);
}

/// The minimal scenario with other devices for its two backends, and a crash of the node host-1.
std::vector<Fault> faults_of_node(const std::string& target, const std::string& draft) {
  std::string text =
      edited(R"("kind": "crash", "backend": "target-1")", R"("kind": "crash", "node": "host-1")");
  for (const auto& [before, after] : {std::pair{std::string(R"("device": "H100-SXM-80")"), target},
                                      std::pair{std::string(R"("device": "A10G-24")"), draft}})
    text.replace(text.find(before), before.size(), after);
  const auto scenario = parsed(text);
  EXPECT_TRUE(scenario.ok()) << format_diagnostics(scenario.diagnostics());
  return scenario.ok() ? scenario.value().faults : std::vector<Fault>{};
}

TEST(FaultInput, TakesANodeApart) {
  const auto replicas = faults_of_node(R"("device": "H100-SXM-80", "count": 2, "node": "host-1")",
                                       R"("device": "A10G-24", "max_targets": 2)");
  ASSERT_EQ(replicas.size(), 2U) << "each replica, and not the draft";
  EXPECT_EQ(replicas[0].backend, BackendId{0});
  EXPECT_EQ(replicas[1].backend, BackendId{1});
  const auto together = faults_of_node(R"("device": "H100-SXM-80", "node": "host-1")",
                                       R"("device": "H100-SXM-80", "colocated_with": "target-1")");
  EXPECT_EQ(together.size(), 2U) << "a co-located draft is where its target is";
}

// Up for 3/4 of each 2 s: down at 1, 3 and 5 for half a second.
TEST(FaultInput, TakesFlappingApart) {
  const auto faults = faults_in(
      R"([{"kind": "flapping", "backend": "target-1", "at_s": 1, "period_s": 2, "duty": 0.25, "count": 3, "effect": "hang"}])");
  ASSERT_EQ(faults.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(faults[i].kind, Fault::Kind::hang);
    EXPECT_EQ(faults[i].at, Seconds{1.0 + 2.0 * static_cast<double>(i)});
    EXPECT_EQ(faults[i].until, faults[i].at + Seconds{0.5});
  }
}

TEST(FaultInput, TakesASequenceApart) {
  const auto faults = faults_in(
      R"([{"kind": "sequence", "at_s": 1, "repeat": 2, "every_s": 4, "steps": [
          {"kind": "hang", "backend": "target-1", "at_s": 0.5, "until_s": 1},
          {"kind": "slow", "backend": "draft-1", "at_s": 2, "until_s": 3, "factor": 5}]}])");
  ASSERT_EQ(faults.size(), 4U);
  EXPECT_EQ(faults[0].at, Seconds{1.5});
  EXPECT_EQ(faults[0].until, Seconds{2.0});
  EXPECT_EQ(faults[3].at, Seconds{7.0});
  EXPECT_EQ(faults[3].factor, 5.0);
}

TEST(FaultInput, MakesAPartitionOfOneWayOrOfBoth) {
  const auto both =
      faults_in(R"([{"kind": "partition", "from": "router", "to": "target-1", "at_s": 1}])");
  ASSERT_EQ(both.size(), 2U);
  EXPECT_FALSE(both[0].from.exists());
  EXPECT_EQ(both[0].to, BackendId{0});
  EXPECT_EQ(both[1].from, BackendId{0});
  const auto one = faults_in(
      R"([{"kind": "partition", "from": "draft-1", "to": "target-1", "direction": "one_way", "at_s": 1}])");
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].from, BackendId{1});
}

TEST(FaultInput, KeepsFailuresAtARateForTheRunToDraw) {
  const auto scenario = with(R"([{"kind": "random", "pool": "main", "role": "target"}])");
  ASSERT_TRUE(scenario.ok()) << format_diagnostics(scenario.diagnostics());
  ASSERT_EQ(scenario.value().random_faults.size(), 1U);
  EXPECT_EQ(scenario.value().random_faults[0].gpu_hours_per_failure, 50700.0);
  EXPECT_EQ(scenario.value().random_faults[0].backends, std::vector{BackendId{0}});
}

RouterSettings router(const std::string& text) {
  const auto scenario = with("[]", text);
  EXPECT_TRUE(scenario.ok()) << format_diagnostics(scenario.diagnostics());
  return scenario.ok() ? scenario.value().router : RouterSettings{};
}

// policy_abi's table of public defaults; what it leaves out is in docs/faults.md.
TEST(ResilienceInput, KnowsThePublicDefaults) {
  const RouterSettings sglang = router(
      R"({"health_preset": "sglang_gateway", "breaker": {"preset": "sglang_gateway"}, "retry_layers": [{"preset": "sglang_gateway"}]})");
  EXPECT_EQ(sglang.probe_period, Seconds{60.0});
  EXPECT_EQ(sglang.probe_timeout, Seconds{5.0});
  EXPECT_EQ(sglang.unhealthy_threshold, 3U);
  EXPECT_EQ(sglang.healthy_threshold, 2U);
  EXPECT_EQ(sglang.breaker->consecutive_failures, 10U);
  EXPECT_EQ(sglang.breaker->successes_to_close, 3U);
  EXPECT_EQ(sglang.breaker->open, Seconds{60.0});
  EXPECT_EQ(sglang.breaker->half_open, HalfOpen::all);
  EXPECT_EQ(sglang.retry_layers.at(0).max_retries, 5U);
  EXPECT_EQ(sglang.retry_layers.at(0).backoff, Seconds{0.05});
  EXPECT_EQ(sglang.retry_layers.at(0).backoff_max, Seconds{30.0});

  const RouterSettings envoy = router(R"({"breaker": {"preset": "envoy_outlier"}})");
  EXPECT_EQ(envoy.probe_period, Seconds{10.0}) << "kubernetes: 10 s x 3";
  EXPECT_EQ(envoy.healthy_threshold, 1U);
  EXPECT_EQ(envoy.breaker->consecutive_failures, 5U);
  EXPECT_EQ(envoy.breaker->open_growth, OpenGrowth::linear);
  EXPECT_EQ(envoy.breaker->max_open, Seconds{300.0});
  EXPECT_EQ(envoy.breaker->deviations, 1.9);
  EXPECT_EQ(envoy.breaker->max_open_share, 0.1);
  EXPECT_TRUE(envoy.breaker->closes_on_probe);

  const RouterSettings litellm = router(R"({"breaker": {"preset": "litellm"}})");
  EXPECT_EQ(litellm.breaker->failure_share, 0.5);
  EXPECT_EQ(litellm.breaker->open, Seconds{5.0});
  const RouterSettings linkerd = router(R"({"breaker": {"preset": "linkerd"}})");
  EXPECT_EQ(linkerd.breaker->consecutive_failures, 7U);
  EXPECT_EQ(linkerd.breaker->max_open, Seconds{60.0});
  EXPECT_FALSE(router("{}").breaker);
}

TEST(ResilienceInput, LetsAFileSayOtherwiseThanItsPreset) {
  const RouterSettings settings =
      router(R"({"breaker": {"preset": "linkerd", "consecutive_failures": 2}})");
  EXPECT_EQ(settings.breaker->consecutive_failures, 2U);
  EXPECT_EQ(settings.breaker->open_growth, OpenGrowth::exponential);
}

}  // namespace
}  // namespace specroute::sim
