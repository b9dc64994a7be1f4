// Random small worlds, each run three times. World::check_invariants runs in every one of them:
// a run that loses a request or a KV block aborts, and fails here with its last words.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "tests/sim/worlds/random_scenario.hpp"
#include "tests/sim/worlds/run_world.hpp"

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
  }
};

TEST(RandomWorlds, GiveEqualBytesAgainAndInLockstep) {
  std::vector<WorldRun> runs;
  for (std::uint64_t w = 0; w < kWorlds; ++w)
    for (const LaneMode mode : {LaneMode::lookahead, LaneMode::lookahead, LaneMode::lockstep})
      runs.push_back({[w] { return random_scenario(first_world_seed() + w); },
                      {.seed = first_world_seed() + w, .mode = mode, .keep_requests = true}});
  const auto results = run_worlds(runs);
  Totals seen;
  for (std::uint64_t w = 0; w < kWorlds; ++w) {
    SCOPED_TRACE("SPECROUTE_TEST_SEED=" + std::to_string(first_world_seed() + w));
    const RunResult& first = results[3 * w];
    ASSERT_EQ(first.failure, "");
    const std::string bytes = to_bytes(first);
    EXPECT_EQ(to_bytes(results[3 * w + 1]), bytes) << "the same run again";
    EXPECT_EQ(to_bytes(results[3 * w + 2]), bytes) << "in lockstep";
    seen.add(first);
  }
  // The worlds must be worth running: misfortune strikes in a good part of them.
  EXPECT_GT(seen.worlds_with_decisions, kWorlds / 4);
  EXPECT_GT(seen.worlds_with_retries, kWorlds / 5);
  EXPECT_GT(seen.worlds_with_degraded, kWorlds / 5);
  EXPECT_GT(seen.worlds_with_other_ends, kWorlds / 10);
  EXPECT_GT(seen.worlds_with_preemptions, kWorlds / 10);
  EXPECT_GT(seen.worlds_with_shared_prefixes, kWorlds / 10);
}

// The seed drives the world: another one gives another history of the same scenario.
TEST(RandomWorlds, DifferByTheirSeed) {
  const auto scenario = [] { return random_scenario(first_world_seed()); };
  const auto results = run_worlds({{scenario, {.seed = 1}}, {scenario, {.seed = 2}}});
  ASSERT_EQ(results[0].failure, "");
  ASSERT_EQ(results[1].failure, "");
  EXPECT_NE(results[0].digest, results[1].digest);
}

}  // namespace
}  // namespace specroute::sim
