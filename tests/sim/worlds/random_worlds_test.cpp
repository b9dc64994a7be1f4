// Random small worlds, each run three times. World::check_invariants runs in every one of them:
// a run that loses a request or a KV block aborts, and fails here with its last words.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "tests/sim/worlds/draw_gate.hpp"
#include "tests/sim/worlds/random_hosting.hpp"
#include "tests/sim/worlds/random_scenario.hpp"
#include "tests/sim/worlds/run_world.hpp"
#include "tests/sim/worlds/world_seeds.hpp"
#include "tests/unit/router/all_gates.hpp"

namespace specroute::sim {
namespace {

constexpr std::uint64_t kWorlds = 220;

struct Totals {
  std::uint64_t worlds_with_decisions = 0;
  std::uint64_t worlds_with_retries = 0;
  std::uint64_t worlds_with_degraded = 0;
  std::uint64_t worlds_with_other_ends = 0;
  std::uint64_t worlds_with_preemptions = 0;
  std::uint64_t worlds_with_shared_prefixes = 0;
  std::uint64_t worlds_with_quarantines = 0;
  /// Whether some backend's metric of this kind is above 0.
  static bool any(const RunResult& result, std::string_view kind) {
    return std::ranges::any_of(result.metrics, [&](const auto& entry) {
      return entry.first.starts_with(kind) && entry.second.value_or(0.0) > 0.0;
    });
  }
  void add(const RunResult& result) {
    worlds_with_decisions += !result.decisions.empty();
    worlds_with_retries += metric(result, "requests.retries") > 0;
    worlds_with_degraded += metric(result, "degraded.total") > 0;
    worlds_with_other_ends +=
        metric(result, "requests.arrived") != metric(result, "requests.completed");
    worlds_with_preemptions += any(result, "preemptions.");
    worlds_with_shared_prefixes += any(result, "prefix_hit_share.");
    worlds_with_quarantines +=
        std::ranges::any_of(result.decisions, [](const DecisionEntry& entry) {
          return !entry.is_bind() && entry.decision.h.type == SRP_QUARANTINE;
        });
  }
};

TEST(RandomWorlds, GiveEqualBytesAgainAndInLockstep) {
  std::vector<WorldRun> runs;
  for (std::uint64_t w = 0; w < kWorlds; ++w)
    for (const LaneMode mode : {LaneMode::lookahead, LaneMode::lookahead, LaneMode::lockstep})
      runs.push_back({[w] { return random_scenario(world_seed(w, kWorlds)); },
                      {.seed = world_seed(w, kWorlds), .mode = mode, .keep_requests = true}});
  const auto results = run_worlds(runs);
  Totals seen;  // in the constant's half, which is the same in every commit
  for (std::uint64_t w = 0; w < kWorlds; ++w) {
    SCOPED_TRACE(seed_note(w, kWorlds));
    const RunResult& first = results[3 * w];
    ASSERT_EQ(first.failure, "");
    const std::string bytes = to_bytes(first);
    EXPECT_EQ(to_bytes(results[3 * w + 1]), bytes) << "the same run again";
    EXPECT_EQ(to_bytes(results[3 * w + 2]), bytes) << "in lockstep";
    if (w < kWorlds / 2) seen.add(first);
  }
  // The worlds must be worth running: misfortune strikes in a good part of them.
  constexpr std::uint64_t kHalf = kWorlds / 2;
  EXPECT_GT(seen.worlds_with_decisions, kHalf / 4);
  EXPECT_GT(seen.worlds_with_retries, kHalf / 5);
  EXPECT_GT(seen.worlds_with_degraded, kHalf / 5);
  EXPECT_GT(seen.worlds_with_other_ends, kHalf / 10);
  EXPECT_GT(seen.worlds_with_preemptions, kHalf / 10);
  EXPECT_GT(seen.worlds_with_shared_prefixes, kHalf / 10);
  EXPECT_GT(seen.worlds_with_quarantines, 0U);
}

/// The name of a world's gate, out of its configuration.
std::string gate_of(const Scenario& scenario) {
  const std::string& text = scenario.gates.front().config_json;
  const auto begin = text.find(": \"") + 3;
  return text.substr(begin, text.find('"', begin) - begin);
}

// What nobody draws, nobody tests: each half of the worlds has every gate and every kind of fleet.
TEST(RandomWorlds, DrawEveryGateAndKindOfFleet) {
  for (const std::uint64_t half : {std::uint64_t{0}, kWorlds / 2}) {
    SCOPED_TRACE(seed_note(half, kWorlds));
    std::set<std::string> gates;
    std::uint64_t shared = 0;
    std::uint64_t co_located = 0;
    std::uint64_t fat_trees = 0;
    std::uint64_t weights_load = 0;
    std::uint64_t slow_starts = 0;
    for (std::uint64_t w = half; w < half + kWorlds / 2; ++w) {
      const Scenario world = random_scenario(world_seed(w, kWorlds));
      gates.insert(gate_of(world));
      shared += shares_a_draft(world);
      const auto some = [&](auto holds) { return std::ranges::any_of(world.backends, holds); };
      co_located += some([](const Backend& b) { return b.hosting.on_devices_of.exists(); });
      slow_starts += some([](const Backend& b) { return b.hosting.slow_passes > 0; });
      fat_trees += world.network.topology == Topology::fat_tree;
      weights_load += world.network.storage.has_value();
    }
    const auto all = router::test::all_gates();
    EXPECT_EQ(gates, std::set<std::string>(all.begin(), all.end()));
    for (const std::uint64_t worlds : {shared, co_located, fat_trees, weights_load, slow_starts})
      EXPECT_GE(worlds, 10U);
  }
}

// The seed drives the world: another one gives another history of the same scenario.
TEST(RandomWorlds, DifferByTheirSeed) {
  const auto scenario = [] { return random_scenario(kFixedWorldSeed); };
  const auto results = run_worlds({{scenario, {.seed = 1}}, {scenario, {.seed = 2}}});
  ASSERT_EQ(results[0].failure, "");
  ASSERT_EQ(results[1].failure, "");
  EXPECT_NE(results[0].digest, results[1].digest);
}

}  // namespace
}  // namespace specroute::sim
