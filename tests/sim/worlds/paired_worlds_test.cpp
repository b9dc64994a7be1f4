// What makes gates comparable: they see the same requests, and differ only by what they decide.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "tests/sim/worlds/hard_scenario.hpp"
#include "tests/sim/worlds/request_rows.hpp"
#include "tests/sim/worlds/run_world.hpp"

namespace specroute::sim {
namespace {

constexpr std::uint64_t kWorlds = 20;

struct Pair {
  RunResult first;
  RunResult second;
};

/// Runs each world under two gates. @param gates_of makes both from the world's seed
template <class GatesOf>
std::vector<Pair> run_pairs(GatesOf gates_of) {
  std::vector<WorldRun> runs;
  for (std::uint64_t w = 0; w < kWorlds; ++w) {
    const auto [first, second] = gates_of(first_world_seed() + w);
    for (const Gate& gate : {first, second})
      runs.push_back({[w, gate] {
                        Scenario scenario = hard_scenario(first_world_seed() + w);
                        scenario.gates = {gate};
                        return scenario;
                      },
                      {.seed = first_world_seed() + w, .keep_requests = true}});
  }
  const auto results = run_worlds(runs);
  std::vector<Pair> pairs;
  for (std::uint64_t w = 0; w < kWorlds; ++w) {
    pairs.push_back({results[2 * w], results[2 * w + 1]});
    EXPECT_EQ(pairs.back().first.failure, "") << "SPECROUTE_TEST_SEED=" << first_world_seed() + w;
    EXPECT_EQ(pairs.back().second.failure, "") << "SPECROUTE_TEST_SEED=" << first_world_seed() + w;
  }
  return pairs;
}

/// The requests of a run, whatever became of them.
std::vector<std::tuple<std::uint64_t, std::string, double, std::string>> demand(
    const RunResult& result) {
  std::vector<std::tuple<std::uint64_t, std::string, double, std::string>> all;
  for (const RequestRow& row : request_rows(result))
    all.emplace_back(row.request, row.request_class, row.arrival, row.prompt);
  std::ranges::sort(all);
  return all;
}

TEST(PairedWorlds, DifferByNothingUnderOneGateWithTwoLabels) {
  const auto pairs = run_pairs([](std::uint64_t seed) {
    const std::string config = hasty_gate("validity", seed, "active");
    return std::pair{Gate{"one", config}, Gate{"other", config}};
  });
  for (const auto& [first, second] : pairs) EXPECT_EQ(to_bytes(first), to_bytes(second));
}

TEST(PairedWorlds, SeeTheSameRequestsUnderAnyTwoGates) {
  const auto pairs = run_pairs([](std::uint64_t seed) {
    return std::pair{Gate{"gate", hasty_gate("none", seed, "active")},
                     Gate{"gate", hasty_gate("validity_safe", seed, "active")}};
  });
  std::uint64_t different = 0;
  for (std::uint64_t w = 0; w < kWorlds; ++w) {
    const auto& [first, second] = pairs[w];
    // Users who wait for an answer ask again when they have it: their requests follow the gate.
    const Scenario world = hard_scenario(first_world_seed() + w);
    const bool waits = std::ranges::any_of(
        world.classes, [](const RequestClass& c) { return c.arrivals.closed_loop.has_value(); });
    if (!waits) {
      EXPECT_EQ(demand(first), demand(second));
    }
    different += first.digest != second.digest;
  }
  EXPECT_GT(different, kWorlds / 10) << "the gates must have acted for this to mean anything";
}

TEST(PairedWorlds, ServeAlikeUnderTwoGatesThatOnlyWatch) {
  const auto pairs = run_pairs([](std::uint64_t seed) {
    return std::pair{Gate{"gate", hasty_gate("delta_only", seed, "shadow")},
                     Gate{"gate", hasty_gate("validity", seed, "shadow")}};
  });
  std::uint64_t decided = 0;
  for (const auto& [first, second] : pairs) {
    EXPECT_EQ(first.requests_csv, second.requests_csv);
    EXPECT_EQ(first.timeseries_csv, second.timeseries_csv);
    decided += !first.decisions.empty() || !second.decisions.empty();
  }
  EXPECT_GT(decided, kWorlds / 10);
}

}  // namespace
}  // namespace specroute::sim
