// Telemetry that goes wrong, in the running simulator: the router learns late, less, or something
// else; what the engines do stays what it is.
#include <algorithm>
#include <cmath>

#include "tests/sim/rules/conditions.hpp"

namespace specroute::sim {
namespace {

using Kind = TelemetryFault::Kind;

Scenario watched(std::uint32_t engines = 1) {
  Scenario s = rule_world(Rule::exact_match);
  s.horizon = Seconds{4.0};
  for (Backend& b : s.backends) b.engines = engines;
  return s;
}

TelemetryFault fault(Kind kind) {
  return {.kind = kind, .backend = kWorldTarget, .from = Seconds{0.0}};
}

Scenario with(Scenario s, const TelemetryFault& what) {
  s.telemetry_faults.push_back(what);
  return s;
}

bool decided(const RunResult& result) {
  return !std::ranges::all_of(result.decisions, &DecisionEntry::is_bind);
}

/// The policy's first decision: of `none`, a lock, with acceptance in ppm and drafted tokens.
const DecisionEntry& first(const RunResult& result) {
  EXPECT_TRUE(decided(result));
  return *std::ranges::find_if_not(result.decisions, &DecisionEntry::is_bind);
}
double rate_ppm(const RunResult& result) {
  return static_cast<double>(first(result).decision.arg[0]);
}
double drafted(const RunResult& result) {
  return static_cast<double>(first(result).decision.arg[1]);
}

void expect_same_truth(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(metric(a, "tokens.output"), metric(b, "tokens.output"));
  EXPECT_EQ(counted_rate(a), counted_rate(b));
}

TEST(TelemetryDelay, MakesTheRouterDecideLaterByTheDelay) {
  TelemetryFault late = fault(Kind::delay);
  late.extra = Seconds{0.3};
  const auto results = run_all({watched(), with(watched(), late)});
  EXPECT_NEAR(first(results[1]).at_s, first(results[0]).at_s + 0.3, 1e-9);
  EXPECT_EQ(rate_ppm(results[1]), rate_ppm(results[0]));
  expect_same_truth(results[0], results[1]);
}

TEST(TelemetryDelay, BlindsARouterThatRefusesLateWindows) {
  TelemetryFault late = fault(Kind::delay);
  late.extra = Seconds{0.3};
  Scenario strict = watched();
  strict.router.telemetry_stale_after = Seconds{0.2};
  const auto results = run_all({strict, with(strict, late)});
  EXPECT_TRUE(decided(results[0]));
  EXPECT_FALSE(decided(results[1]));
}

// A failed scrape loses nothing that counters have counted.
TEST(TelemetryLoss, LeavesTheNextWindowToCoverTheGap) {
  TelemetryFault lossy = fault(Kind::loss);
  lossy.share = 1.0;
  lossy.until = Seconds{2.02};
  const auto results = run_all({watched(), with(watched(), lossy)});
  EXPECT_NEAR(first(results[1]).at_s, 2.06, 1e-9);
  EXPECT_GT(drafted(results[1]), 4.0 * drafted(results[0]));
  expect_same_truth(results[0], results[1]);
}

// The loss alone differs: the worlds of one seed are the same but for what the router reads. Of ten
// seeds, half lose the window that decides (none or all of them: 2 in 1024).
TEST(TelemetryLoss, IsDrawnFromTheSeed) {
  constexpr std::uint64_t kSeeds = 10;
  TelemetryFault lossy = fault(Kind::loss);
  lossy.share = 0.5;
  std::vector<WorldRun> runs;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const Scenario& s : {watched(), with(watched(), lossy), with(watched(), lossy)})
      runs.push_back({[s] { return s; }, {.seed = seed}});
  const auto results = run_worlds(runs);
  std::uint64_t late = 0;
  for (std::uint64_t i = 0; i < 3 * kSeeds; i += 3) {
    ASSERT_EQ(results[i].failure, "");
    EXPECT_EQ(to_bytes(results[i + 1]), to_bytes(results[i + 2]));
    const double delay = first(results[i + 1]).at_s - first(results[i]).at_s;
    EXPECT_GE(delay, 0.0);
    EXPECT_NEAR(std::remainder(delay, 0.05), 0.0, 1e-9) << "whole telemetry periods";
    late += delay > 0.01;
    expect_same_truth(results[i], results[i + 1]);
  }
  EXPECT_GE(late, 1U);
  EXPECT_LE(late, kSeeds - 1);
}

// A target that stood still at first is not scraped then; the scrapes that fail later are the same.
TEST(TelemetryLoss, IsDrawnByTargetAndBeat) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto decides_at = [seed](bool hung) {
      TelemetryFault lossy = fault(Kind::loss);
      lossy.share = 0.95;
      const auto scenario = [=] {
        Scenario s = with(watched(), lossy);
        if (hung) s.faults = {{Fault::Kind::hang, kWorldTarget, Seconds{0.06}, Seconds{0.44}}};
        return s;
      };
      const RunResult result = run_worlds({{scenario, {.seed = seed}}}).front();
      return decided(result) ? first(result).at_s : 0.0;
    };
    const double usual = decides_at(false);
    if (usual < 1.0) continue;
    ++compared;
    EXPECT_EQ(decides_at(true), usual) << seed;
  }
  EXPECT_GT(compared, 0);
}

TEST(CounterReset, StartsTheCoolDownAnew) {
  Scenario s = watched();
  s.gates = {{"gate", R"({"gate": "cooldown_only", "cool_down_s": 1.0})"}};
  TelemetryFault reset = fault(Kind::counter_reset);
  reset.from = Seconds{0.8};
  const auto results = run_all({s, with(s, reset)});
  const auto lock = [](const RunResult& result) {
    for (const DecisionEntry& entry : result.decisions)
      if (entry.decision.h.type == SRP_LOCK) return entry.at_s;
    return 0.0;
  };
  EXPECT_GE(lock(results[0]), 1.0);
  EXPECT_GT(lock(results[1]), lock(results[0]) + 0.7);
  expect_same_truth(results[0], results[1]);
}

// Of two drafted tokens the second is tested only where the first passed: accepted / tested is
// nearer to the acceptance of one position. Three positions are verified: two thirds of the rate.
TEST(OtherDenominator, MovesTheRatioAndNothingElse) {
  TelemetryFault tested = fault(Kind::other_denominator);
  TelemetryFault positions = tested;
  positions.denominator = TelemetryFault::Denominator::verified_positions;
  const auto results = run_all({watched(), with(watched(), tested), with(watched(), positions)});
  const double rate = counted_rate(results[0]);
  EXPECT_NEAR(rate_ppm(results[0]) * 1e-6, rate, 0.08);
  EXPECT_GT(rate_ppm(results[1]) * 1e-6, rate + 0.08);
  EXPECT_NEAR(rate_ppm(results[2]) * 1e-6, rate * 2.0 / 3.0, 0.08);
  expect_same_truth(results[0], results[1]);
  expect_same_truth(results[0], results[2]);
}

// A quarter of the counts: 200 drafted tokens, which a gate waits for, take longer to come.
TEST(OneEngine, TakenForAllTellsLess) {
  TelemetryFault sample = fault(Kind::one_engine);
  sample.engine = 2;
  Scenario s = watched(4);
  s.classes[0].arrivals.open.rate_per_s = 240.0;
  const auto results = run_all({s, with(s, sample)});
  EXPECT_GT(first(results[1]).at_s, first(results[0]).at_s + 0.09);
  EXPECT_NEAR(rate_ppm(results[1]) * 1e-6, counted_rate(results[1]), 0.12);
  expect_same_truth(results[0], results[1]);
}

}  // namespace
}  // namespace specroute::sim
