// Fleets in running worlds: shared and co-located drafts, nodes, spines, storage, upkeep.
#include <gtest/gtest.h>

#include <cmath>

#include "models/devices/device.hpp"
#include "models/devices/model_shape.hpp"
#include "tests/sim/worlds/random_scenario.hpp"
#include "tests/sim/worlds/run_world.hpp"

namespace specroute::sim {
namespace {

/// Two targets, each with a draft, or both with one.
Scenario two_targets(bool shared) {
  Scenario s = plain_scenario();
  s.pools[0].speculation.half_batches = 1;
  s.backends.push_back(s.backends[0]);
  s.backends[2].name = "target-2";
  if (!shared) s.backends.push_back(s.backends[1]);
  if (!shared) s.backends[3].name = "draft-2";
  s.backends[1].hosting.max_targets = 2;
  s.pairings.push_back({BackendId{2}, shared ? kDraft : BackendId{3}});
  s.classes[0].arrivals.open.rate_per_s = 100.0;
  return s;
}

TEST(FleetWorld, PassesOfTwoTargetsQueueOnOneDraft) {
  const auto results = run_all({two_targets(true), two_targets(false)});
  EXPECT_EQ(metric(results[0], "requests.completed"), metric(results[0], "requests.arrived"));
  EXPECT_GT(metric(results[0], "utilisation.draft"), 1.3 * metric(results[1], "utilisation.draft"));
}

// A second engine of the shared draft takes the second target's passes: as good as a draft of its
// own.
TEST(FleetWorld, TargetsSpreadOverTheEnginesOfTheirDraft) {
  Scenario s = two_targets(true);
  s.backends[1].engines = 2;
  const auto results = run_all({s, two_targets(false)});
  EXPECT_NEAR(metric(results[0], "latency.tpot.p50_ms"), metric(results[1], "latency.tpot.p50_ms"),
              1e-9);
}

/// One request at a time, so that a step's time is all that there is.
Scenario one_at_a_time(bool co_located) {
  Scenario s = plain_scenario();
  s.pools[0].speculation.half_batches = 1;
  s.classes[0].arrivals.open.rate_per_s = 2.0;
  s.backends[1].device = s.backends[0].device;
  if (co_located) s.backends[1].hosting.on_devices_of = kTarget;
  return s;
}

// Alone on its devices, a co-located draft saves the network and loses nothing; and its passes are
// in its target's busy time.
TEST(FleetWorld, ACoLocatedDraftTakesItsTargetsTimeAndNoNetwork) {
  Scenario far = one_at_a_time(false);
  far.backends[1].rack = "rack-2";
  far.network.cross_rack_latency = Seconds{1e-3};
  const auto results = run_all({one_at_a_time(true), one_at_a_time(false), far});
  const auto tpot = [&](std::size_t i) { return metric(results[i], "latency.tpot.p50_ms"); };
  EXPECT_LT(tpot(0), tpot(1));
  EXPECT_LT(tpot(1) + 0.5, tpot(2));  // two crossings of 1 ms for at most three tokens
  EXPECT_GT(
      metric(results[0], "utilisation.target"),
      metric(results[1], "utilisation.target") + 0.5 * metric(results[1], "utilisation.draft"));
  EXPECT_GT(metric(results[0], "kv_peak.target"), metric(results[1], "kv_peak.target"));
}

/// Time that a model's weights take from storage of 10 GB/s.
double load_ms(const char* model, models::Precision precision) {
  return models::weight_bytes(*models::find_model_shape(model), precision).value() / 1e10 * 1e3;
}

TEST(FleetWorld, ACoLocatedDraftSharesItsTargetsFate) {
  Scenario s = one_at_a_time(true);
  s.network.storage = BytesPerSecond{1e10};
  s.faults = {{Fault::Kind::crash, kTarget, Seconds{1.0}, Seconds{1.2}}};
  Scenario twice = s;  // the draft dies first, and would be back while its devices are down
  twice.faults.push_back({Fault::Kind::crash, kDraft, Seconds{0.9}, Seconds{1.1}});
  Scenario alone = s;
  alone.faults = {{Fault::Kind::crash, kDraft, Seconds{1.0}, Seconds{1.2}}};
  const auto results = run_all({s, twice, alone});
  const double draft_ms = load_ms("smollm-135m", models::Precision::bf16);
  const double both_ms = draft_ms + load_ms("llama-3.1-8b", models::Precision::fp8);
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_EQ(metric(results[i], "requests.completed"), metric(results[i], "requests.arrived"));
    EXPECT_EQ(metric(results[i], "weight_loads.count"), 2.0) << "both read their weights again";
    EXPECT_NEAR(metric(results[i], "weight_loads.longest_ms"), both_ms, 0.1);
  }
  EXPECT_EQ(metric(results[2], "weight_loads.count"), 1.0) << "a draft takes nobody with it";
  EXPECT_NEAR(metric(results[2], "weight_loads.longest_ms"), draft_ms, 0.1);
}

// One device, ten times as slow: draft and verification take their turns on it.
TEST(FleetWorld, SlownessIsOfTheDeviceWhicheverOfItsTwoIsNamed) {
  const auto slow = [](BackendId named) {
    Scenario s = one_at_a_time(true);
    s.faults = {{Fault::Kind::slow, named, Seconds{0.0}, {}}};
    s.faults[0].factor = 10.0;
    return s;
  };
  const auto results = run_all({slow(kTarget), slow(kDraft), one_at_a_time(true)});
  const auto tpot = [&](std::size_t i) { return metric(results[i], "latency.tpot.p50_ms"); };
  EXPECT_EQ(tpot(0), tpot(1));
  EXPECT_NEAR(tpot(0), 10.0 * tpot(2), 0.1 * tpot(0));
}

// A node fails as a whole: what befalls its target befalls the draft on the same devices, once.
TEST(FleetWorld, ACoLocatedDraftThatFailsByNameTooIsLoadedOnce) {
  Scenario s = one_at_a_time(true);
  s.network.storage = BytesPerSecond{1e11};
  for (const BackendId each : {kTarget, kDraft})
    s.faults.push_back({Fault::Kind::crash, each, Seconds{1.0}, Seconds{1.5}});
  const auto results = run_all({s});
  EXPECT_EQ(metric(results[0], "weight_loads.count"), 2.0);
  EXPECT_EQ(metric(results[0], "requests.completed"), metric(results[0], "requests.arrived"));
}

TEST(FleetWorld, BackendsOfOneNodeTalkWithoutItsNetwork) {
  Scenario apart = one_at_a_time(false);
  apart.network.nic_latency = Seconds{2e-3};
  Scenario together = apart;
  for (Backend& backend : together.backends) backend.hosting.node = "n1";
  const auto results = run_all({together, apart});
  EXPECT_LT(metric(results[0], "latency.tpot.p50_ms") + 1.0,
            metric(results[1], "latency.tpot.p50_ms"));
}

// Weights of 9 GB from 10 GB/s: one backend alone takes 0.9 s, two together 1.8 s.
TEST(FleetWorld, BackendsThatRestartTogetherShareTheStorage) {
  Scenario s = plain_scenario();
  s.backends.push_back(s.backends[0]);
  s.backends[2].name = "target-2";
  s.backends[2].standby = true;
  s.network.storage = BytesPerSecond{1e10};
  const double alone_ms = load_ms("llama-3.1-8b", models::Precision::fp8);
  s.faults = {{Fault::Kind::crash, kTarget, Seconds{0.5}, Seconds{0.7}}};
  Scenario both = s;
  both.faults.push_back({Fault::Kind::crash, BackendId{2}, Seconds{0.5}, Seconds{0.7}});
  const auto results = run_all({s, both});
  EXPECT_EQ(metric(results[0], "weight_loads.count"), 1.0);
  EXPECT_NEAR(metric(results[0], "weight_loads.longest_ms"), alone_ms, 0.1);
  EXPECT_EQ(metric(results[1], "weight_loads.count"), 2.0);
  EXPECT_NEAR(metric(results[1], "weight_loads.longest_ms"), 2.0 * alone_ms, 0.1);
}

TEST(FleetWorld, ARestartedEngineWarmsUpAndIsSlowAtFirst) {
  Scenario quick = plain_scenario();
  quick.faults = {{Fault::Kind::crash, kTarget, Seconds{1.0}, Seconds{1.2}}};
  Scenario cold = quick;
  cold.backends[0].hosting.warm_up = Seconds{0.5};
  Scenario slow = quick;
  slow.backends[0].hosting.slow_passes = 20;
  slow.backends[0].hosting.slow_factor = 10.0;
  const auto results = run_all({quick, cold, slow});
  const auto p99 = [&](std::size_t i) { return metric(results[i], "latency.end_to_end.p99_ms"); };
  EXPECT_GT(p99(1), p99(0) + 300.0);
  EXPECT_GT(p99(2), p99(0) + 50.0);
}

/// Two drafts in one rack, two targets in another, and drafts of a megabyte and more.
Scenario wide_drafts(std::uint32_t uplinks) {
  Scenario s = two_targets(false);
  s.horizon = Seconds{1.0};
  s.pools[0].speculation.forwarded_per_position = Bytes{2.5e5};
  s.backends[1].rack = s.backends[3].rack = "rack-2";
  s.network.topology = Topology::fat_tree;
  s.network.uplinks_per_rack = uplinks;
  s.network.nic = BytesPerSecond{1.25e9};
  return s;
}

TEST(FleetWorld, WideDraftsContendForTheUplinksOfARack) {
  const auto results = run_all({wide_drafts(1), wide_drafts(4)});
  EXPECT_GT(metric(results[0], "draft_flows.count"), 100.0);
  EXPECT_GT(metric(results[0], "draft_flows.mean_ms"),
            1.05 * metric(results[1], "draft_flows.mean_ms"));
}

// A crash of a draft while its flows are under way, a crash of a target that waits for one.
TEST(FleetWorld, FlowsOfDraftsEndAlikeInLockstep) {
  Scenario s = wide_drafts(1);
  s.faults = {{Fault::Kind::crash, kDraft, Seconds{0.4}, Seconds{0.6}},
              {Fault::Kind::crash, BackendId{2}, Seconds{0.6}, {}}};
  const auto ahead = run_all({s, wide_drafts(1)});
  const auto lockstep = run_all({s}, {.mode = LaneMode::lockstep});
  EXPECT_EQ(to_bytes(ahead[0]), to_bytes(lockstep[0]));
  EXPECT_GT(metric(ahead[0], "draft_flows.count"), 50.0);
  EXPECT_LT(metric(ahead[0], "draft_flows.count"), 0.9 * metric(ahead[1], "draft_flows.count"))
      << "after the crashes one target is left, and it waits for its draft";
  EXPECT_GT(metric(ahead[0], "requests.retries"), 0.0);
  EXPECT_EQ(metric(ahead[0], "requests.completed"), metric(ahead[0], "requests.arrived"));
}

// One H100 at 12.29 USD/h and an A10G at 1.006 USD/h, for as long as the run lasts.
TEST(FleetWorld, IsPaidForAsLongAsItRuns) {
  Scenario s = plain_scenario();
  s.power = {.idle_share = 1.0, .busy_share = 1.0, .usage_effectiveness = 1.5};
  const RunResult run = run_all({s})[0];
  const double hours = metric(run, "cost_usd") / (12.29 + 1.006);
  EXPECT_GE(hours * 3600.0, 3.0);
  EXPECT_LE(hours * 3600.0, 8.0);
  EXPECT_NEAR(metric(run, "energy_kwh"), hours * (0.7 + 0.3) * 1.5, 1e-12);
  EXPECT_NEAR(metric(run, "cost_usd_per_million_tokens"),
              metric(run, "cost_usd") * 1e6 / metric(run, "tokens.output"), 1e-9);
  s.backends[1].device = "A10-24";  // whose price was not found
  const RunResult unknown = run_all({s})[0];
  EXPECT_TRUE(std::isnan(metric(unknown, "cost_usd")));
  EXPECT_FALSE(std::isnan(metric(unknown, "energy_kwh")));
}

}  // namespace
}  // namespace specroute::sim
