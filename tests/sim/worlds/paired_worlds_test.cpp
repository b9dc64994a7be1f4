// What makes gates comparable: they see the same requests, and differ only by what they decide.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <tuple>

#include "sim/comparison/flips.hpp"
#include "tests/sim/worlds/draw_gate.hpp"
#include "tests/sim/worlds/hard_scenario.hpp"
#include "tests/sim/worlds/request_rows.hpp"
#include "tests/sim/worlds/run_world.hpp"
#include "tests/sim/worlds/world_seeds.hpp"
#include "tests/unit/router/all_gates.hpp"

namespace specroute::sim {
namespace {

constexpr std::uint64_t kPairs = 20;

struct Pair {
  RunResult first;
  RunResult second;
};

/// Runs each world under two gates. @param gates_of makes both from the world's seed
template <class GatesOf>
std::vector<Pair> run_pairs(GatesOf gates_of) {
  std::vector<WorldRun> runs;
  for (std::uint64_t w = 0; w < kPairs; ++w) {
    const auto [first, second] = gates_of(world_seed(w, kPairs));
    for (const Gate& gate : {first, second})
      runs.push_back(
          {[w, gate] {
             Scenario scenario = hard_scenario(world_seed(w, kPairs));
             scenario.gates = {gate};
             return scenario;
           },
           {.seed = world_seed(w, kPairs), .keep_requests = true, .keep_outcomes = true}});
  }
  const auto results = run_worlds(runs);
  std::vector<Pair> pairs;
  for (std::uint64_t w = 0; w < kPairs; ++w) {
    pairs.push_back({results[2 * w], results[2 * w + 1]});
    EXPECT_EQ(pairs.back().first.failure, "") << seed_note(w, kPairs);
    EXPECT_EQ(pairs.back().second.failure, "") << seed_note(w, kPairs);
  }
  return pairs;
}

/// Any but the first, which does nothing else than to lock.
std::string any_gate(std::uint64_t seed) {
  const auto gates = router::test::all_gates();
  return gates[1 + seed % (gates.size() - 1)];
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
    const std::string config = hasty_gate(any_gate(seed), seed, "active");
    return std::pair{Gate{"one", config}, Gate{"other", config}};
  });
  for (const auto& [first, second] : pairs) EXPECT_EQ(to_bytes(first), to_bytes(second));
}

TEST(PairedWorlds, SeeTheSameRequestsUnderAnyTwoGates) {
  const auto pairs = run_pairs([](std::uint64_t seed) {
    return std::pair{Gate{"gate", hasty_gate("none", seed, "active")},
                     Gate{"gate", hasty_gate(any_gate(seed), seed, "active")}};
  });
  std::uint64_t different = 0;
  for (std::uint64_t w = 0; w < kPairs; ++w) {
    const auto& [first, second] = pairs[w];
    // Users who wait for an answer ask again when they have it: their requests follow the gate.
    const Scenario world = hard_scenario(world_seed(w, kPairs));
    const bool waits = std::ranges::any_of(
        world.classes, [](const RequestClass& c) { return c.arrivals.closed_loop.has_value(); });
    if (!waits) {
      EXPECT_EQ(demand(first), demand(second));
    }
    different += first.digest != second.digest;
  }
  EXPECT_GT(different, kPairs / 10) << "the gates must have acted for this to mean anything";
}

/// What the rows say of each request, by its number.
std::map<std::uint64_t, std::string> ends(const RunResult& result) {
  std::map<std::uint64_t, std::string> all;
  for (const RequestRow& row : request_rows(result))
    all[row.request] = row.state != "completed"                   ? "unserved"
                       : row.loop || row.schema || row.corruption ? "degraded"
                                                                  : "clean";
  return all;
}

/// The flip table, counted from the rows.
std::map<std::string, std::uint64_t> flips_in_rows(const Pair& pair) {
  std::map<std::string, std::uint64_t> cells;
  const auto first = ends(pair.first);
  for (const auto& [request, end] : ends(pair.second)) {
    const auto was = first.find(request);
    ++cells[(was == first.end() ? "unserved" : was->second) + " " + end];
  }
  return cells;
}

TEST(PairedWorlds, FlipAsTheirRowsSay) {
  const auto pairs = run_pairs([](std::uint64_t seed) {
    return std::pair{Gate{"gate", hasty_gate("none", seed, "active")},
                     Gate{"gate", hasty_gate(any_gate(seed), seed, "active")}};
  });
  std::uint64_t flips = 0;
  for (const Pair& pair : pairs) {
    const FlipTable table = flips_between(pair.first.outcomes, pair.second.outcomes);
    auto cells = flips_in_rows(pair);
    if (pair.first.outcomes.arrived != pair.second.outcomes.arrived) continue;  // closed loops
    EXPECT_EQ(table.both_clean, cells["clean clean"]);
    EXPECT_EQ(table.both_degraded, cells["degraded degraded"]);
    EXPECT_EQ(table.became_degraded, cells["clean degraded"]);
    EXPECT_EQ(table.became_clean, cells["degraded clean"]);
    EXPECT_EQ(table.served_never, cells["unserved unserved"]);
    flips += table.became_clean + table.became_degraded;
  }
  EXPECT_GT(flips, 0U) << "the gates must have acted for this to mean anything";
}

/// Rows without their last column, which counts what a gate said, if only for show.
std::string without_decisions(const std::string& rows) {
  std::istringstream text(rows);
  std::string kept;
  for (std::string line; std::getline(text, line);) kept += line.substr(0, line.rfind(',')) + '\n';
  return kept;
}

TEST(PairedWorlds, ServeAlikeUnderTwoGatesThatOnlyWatch) {
  const auto pairs = run_pairs([](std::uint64_t seed) {
    return std::pair{Gate{"gate", hasty_gate("delta_only", seed, "shadow")},
                     Gate{"gate", hasty_gate(any_gate(seed), seed, "shadow")}};
  });
  std::uint64_t decided = 0;
  for (const auto& [first, second] : pairs) {
    EXPECT_EQ(without_decisions(first.requests_csv), without_decisions(second.requests_csv));
    EXPECT_EQ(first.timeseries_csv, second.timeseries_csv);
    decided += !first.decisions.empty() || !second.decisions.empty();
  }
  EXPECT_GT(decided, kPairs / 10);
}

}  // namespace
}  // namespace specroute::sim
