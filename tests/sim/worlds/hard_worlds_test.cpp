// Worlds with more misfortune, and a second account of them: what the metrics say is counted again
// from the row of every request, by code that shares nothing with the world's own invariants.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "sim/world/attribution.hpp"
#include "tests/sim/worlds/hard_scenario.hpp"
#include "tests/sim/worlds/request_rows.hpp"
#include "tests/sim/worlds/run_world.hpp"
#include "tests/sim/worlds/world_seeds.hpp"

namespace specroute::sim {
namespace {

constexpr std::uint64_t kWorlds = 100;

struct World {
  Scenario scenario;
  RunResult result;
  RunResult lockstep;
};

/// Both modes of every world, run once.
const std::vector<World>& worlds() {
  static const std::vector<World> all = [] {
    std::vector<WorldRun> runs;
    for (std::uint64_t w = 0; w < kWorlds; ++w)
      for (const LaneMode mode : {LaneMode::lookahead, LaneMode::lockstep})
        runs.push_back({[w] { return hard_scenario(world_seed(w, kWorlds)); },
                        {.seed = world_seed(w, kWorlds), .mode = mode, .keep_requests = true}});
    const auto results = run_worlds(runs);
    std::vector<World> made;
    for (std::uint64_t w = 0; w < kWorlds; ++w)
      made.push_back({hard_scenario(world_seed(w, kWorlds)), results[2 * w], results[2 * w + 1]});
    return made;
  }();
  return all;
}

/// Calls `examine` with each world that ran, under a trace that says how to draw it again.
template <class Examine>
void each_world(Examine examine) {
  for (std::uint64_t w = 0; w < kWorlds; ++w) {
    SCOPED_TRACE(seed_note(w, kWorlds));
    const World& world = worlds()[w];
    if (world.result.failure.empty()) examine(world);
  }
}

/// What the rows of completions say of their blame, counted under the metrics' names.
std::map<std::string, double> blame_by_rows(const RunResult& result) {
  std::map<std::string, double> counts;
  for (const RequestRow& row : request_rows(result)) {
    if (row.first_cause.empty() || row.state != "completed") continue;
    const DecisionEntry& decision = result.decisions.at(std::stoull(row.decision));
    const bool about_it = decision.is_bind() || decision.decision.h.type == SRP_LOCK ||
                          decision.decision.h.type == SRP_HOLD;
    if (about_it) {  // a re-bind is about the pairing that it replaced
      EXPECT_EQ(row.pairing,
                decision.target + '+' + (decision.draft.empty() ? "alone" : decision.draft));
    }
    ++counts["degraded.by_cause." + row.first_cause];
    ++counts["degraded.by_pairing." + row.pairing];
    ++counts["degraded.by_override." + row.owners];
    ++counts["degraded.by_decision." + decision_kind(decision)];
  }
  return counts;
}

void expect_equal_in_lockstep() {
  std::uint64_t with_retries = 0;
  std::uint64_t with_rebinds = 0;
  std::uint64_t with_flows = 0;
  for (std::uint64_t w = 0; w < kWorlds; ++w) {
    SCOPED_TRACE(seed_note(w, kWorlds));
    const World& world = worlds()[w];
    EXPECT_EQ(world.result.failure, "");
    EXPECT_EQ(world.lockstep.failure, "");
    EXPECT_EQ(to_bytes(world.lockstep), to_bytes(world.result));
    if (w >= kWorlds / 2) continue;  // the constant's half is the same in every commit
    with_retries += metric(world.result, "requests.retries") > 0;
    with_rebinds += metric(world.result, "decisions.rebinds") > 0;
    with_flows += world.scenario.network.flow_threshold < Bytes{2.0};
  }
  EXPECT_GT(with_retries, kWorlds / 2 / 4);
  EXPECT_GT(with_rebinds, kWorlds / 2 / 20);
  EXPECT_GT(with_flows, kWorlds / 2 / 10);
}

void expect_every_request_ends_once_as_counted() {
  each_world([](const World& world) {
    std::set<std::uint64_t> seen;
    std::map<std::string, double> by_state;
    for (const RequestRow& row : request_rows(world.result)) {
      EXPECT_TRUE(seen.insert(row.request).second) << "request " << row.request << " ended twice";
      ++by_state[row.state];
    }
    EXPECT_EQ(static_cast<double>(seen.size()), metric(world.result, "requests.arrived"));
    for (const char* state : {"completed", "timed_out", "rejected", "failed", "unfinished"})
      EXPECT_EQ(by_state[state], metric(world.result, std::string("requests.") + state)) << state;
  });
}

void expect_dates_in_order() {
  each_world([](const World& world) {
    const double limit = world.scenario.horizon.count() + world.scenario.drain_limit.count() + 1e-3;
    for (const RequestRow& row : request_rows(world.result)) {
      EXPECT_GE(row.at, row.arrival);
      EXPECT_LT(row.arrival, world.scenario.horizon.count());
      EXPECT_LE(row.at, limit) << "nothing goes on after the drain limit";
      EXPECT_EQ(std::isnan(row.first_token), row.emitted == 0) << "request " << row.request;
      if (row.emitted == 0) continue;
      EXPECT_GT(row.first_token, row.arrival);
      EXPECT_LE(row.first_token, row.at) << "request " << row.request << ' ' << row.state;
    }
  });
}

void expect_tokens_and_harm_as_in_rows() {
  each_world([](const World& world) {
    std::map<std::string, std::uint64_t> limit;
    for (const RequestClass& c : world.scenario.classes)
      limit[c.name] = c.arrivals.trace ? *c.arrivals.trace->output_limit : c.output.limit;
    double tokens = 0.0;
    double degraded = 0.0;
    double loops = 0.0;
    for (const RequestRow& row : request_rows(world.result)) {
      tokens += static_cast<double>(row.emitted);
      EXPECT_LE(row.emitted, limit.at(row.request_class)) << "request " << row.request;
      if (row.state != "completed") continue;
      EXPECT_GE(row.emitted, 1U);
      degraded += row.loop || row.schema || row.corruption;
      loops += row.loop;
    }
    EXPECT_EQ(tokens, metric(world.result, "tokens.output"));
    EXPECT_EQ(degraded, metric(world.result, "degraded.total"));
    EXPECT_EQ(loops, metric(world.result, "degraded.loop"));
    for (const char* by : {"cause", "pairing", "override", "decision"})
      EXPECT_EQ(degraded, sum_of(world.result, std::string("degraded.by_") + by + '.')) << by;
    for (const auto& [name, count] : blame_by_rows(world.result))
      EXPECT_EQ(count, metric(world.result, name)) << name;
  });
}

/// Tries multiply over layers; without any, the router's own setting bounds them.
std::uint64_t most_retries(const RouterSettings& router) {
  if (router.retry_layers.empty()) return router.max_retries;
  std::uint64_t tries = 1;
  for (const RetryLayer& layer : router.retry_layers) tries *= layer.max_retries + 1;
  return tries - 1;
}

void expect_retries_and_timeouts_by_the_rules() {
  std::uint64_t layered = 0;
  each_world([&](const World& world) {
    const RouterSettings& router = world.scenario.router;
    const bool layers = !router.retry_layers.empty();
    const bool gives_up = std::ranges::any_of(
        router.retry_layers, [](const RetryLayer& layer) { return layer.try_timeout.has_value(); });
    const bool blames = std::ranges::any_of(world.scenario.faults, [](const Fault& fault) {
      return fault.kind == Fault::Kind::errors && fault.answer == ErrorAnswer::client;
    });
    for (const RequestRow& row : request_rows(world.result)) {
      layered += layers && row.retries > 0;
      EXPECT_LE(row.retries, most_retries(router));
      if (row.state == "failed" && !layers && !blames) {
        EXPECT_EQ(row.retries, router.max_retries);
      }
      if (row.state == "timed_out" && !gives_up) {
        EXPECT_GE(row.at, row.arrival + router.request_timeout.count() - 1e-9);
      }
    }
  });
  EXPECT_GT(layered, 1000U) << "retries by layers are worth a look";
}

// columns: those of kTimeSeriesHeader
void expect_no_more_accepted_than_drafted() {
  std::uint64_t rows = 0;
  each_world([&](const World& world) {
    std::istringstream text(world.result.timeseries_csv);
    double completions = 0.0;
    double drafted_in_all = 0.0;
    for (std::string line; std::getline(text, line);) {
      std::vector<std::string> cells;
      std::istringstream cut(line);
      for (std::string cell; std::getline(cut, cell, ',');) cells.push_back(cell);
      ASSERT_EQ(cells.size(), 13U) << line;
      ++rows;
      const auto drafted = std::stoull(cells[3]);
      EXPECT_LE(std::stoull(cells[4]), drafted) << line;
      drafted_in_all += static_cast<double>(drafted);
      if (cells[2].empty()) {
        EXPECT_EQ(drafted, 0U) << "nobody drafts for a target alone: " << line;
      }
      completions += std::stod(cells[7]);
    }
    EXPECT_LE(completions, metric(world.result, "requests.completed"));
    EXPECT_LE(drafted_in_all, metric(world.result, "tokens.drafted")) << "of every length";
  });
  EXPECT_GT(rows, kWorlds);
}

/// One pass at a time, and none counted that was not made.
void expect_no_engine_busier_than_the_run() {
  each_world([](const World& world) {
    for (const Backend& backend : world.scenario.backends) {
      const double busy = metric(world.result, "utilisation." + backend.name);
      EXPECT_GE(busy, 0.0) << backend.name;
      EXPECT_LE(busy, 1.0 + 1e-9) << backend.name;
    }
  });
}

// One test, since every test is a process of its own and would run all the worlds again.
TEST(HardWorlds, AreEqualInLockstepAndAccountForEveryRequest) {
  expect_equal_in_lockstep();
  expect_every_request_ends_once_as_counted();
  expect_dates_in_order();
  expect_tokens_and_harm_as_in_rows();
  expect_retries_and_timeouts_by_the_rules();
  expect_no_more_accepted_than_drafted();
  expect_no_engine_busier_than_the_run();
}

}  // namespace
}  // namespace specroute::sim
