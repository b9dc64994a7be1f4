// Worlds with one fault each: what the router can and cannot see of it.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/worlds/random_scenario.hpp"
#include "tests/sim/worlds/run_world.hpp"

namespace specroute::sim {
namespace {

constexpr BackendId kTarget{0};
constexpr BackendId kDraft{1};
constexpr BackendId kRouter{};

/// Two pairings, target 0 with draft 1 and target 2 with draft 3, after a change to them.
template <class Change>
RunResult run_pair(Change change) {
  const auto results = run_worlds({{[change] {
                                      Scenario s = plain_scenario();
                                      s.backends.push_back(s.backends[0]);
                                      s.backends.push_back(s.backends[1]);
                                      s.backends[2].name = "target-2";
                                      s.backends[3].name = "draft-2";
                                      s.pairings.push_back({BackendId{2}, BackendId{3}});
                                      change(s);
                                      return s;
                                    },
                                    {}}});
  EXPECT_EQ(results.front().failure, "");
  return results.front();
}

Fault fault(Fault::Kind kind, BackendId backend, double at, std::optional<double> lasts = {}) {
  Fault made{.kind = kind, .backend = backend, .at = Seconds{at}, .until = {}};
  if (lasts) made.until = Seconds{at + *lasts};
  return made;
}

Fault partition(BackendId from, BackendId to, double at, std::optional<double> lasts = {}) {
  Fault made = fault(Fault::Kind::partition, BackendId{}, at, lasts);
  made.from = from;
  made.to = to;
  return made;
}

RetryLayer layer(std::uint32_t retries, std::optional<double> timeout = {}) {
  RetryLayer made{.max_retries = retries,
                  .backoff = Seconds{0.01},
                  .backoff_multiplier = 1.0,
                  .backoff_max = Seconds{0.01},
                  .jitter = 0.0,
                  .budget_share = {},
                  .budget_min_per_s = 0.0,
                  .budget_window_s = 10,
                  .try_timeout = {}};
  if (timeout) made.try_timeout = Seconds{*timeout};
  return made;
}

double value(const RunResult& result, const char* name) {
  return metric(result, name);
}

// The probe asks the process, and the process answers: nobody ever takes over.
TEST(HungTarget, IsFoundOnlyByAProbeThatGoesThroughTheEngine) {
  const auto hang = [](ProbeKind kind) {
    return run_pair([kind](Scenario& s) {
      s.faults = {fault(Fault::Kind::hang, kTarget, 1.0)};
      s.router.probe_kind = kind;
      s.router.request_timeout = Seconds{4.0};
    });
  };
  const RunResult behind = hang(ProbeKind::liveness);
  EXPECT_TRUE(std::isnan(value(behind, "probes_noticed_ms")));
  EXPECT_GT(value(behind, "requests.timed_out"), 10.0);
  const RunResult through = hang(ProbeKind::end_to_end);
  EXPECT_GT(value(through, "probes_noticed_ms"), 200.0) << "three probes, 100 ms apart";
  EXPECT_LT(value(through, "probes_noticed_ms"), 360.0);
  EXPECT_EQ(value(through, "requests.completed"), value(through, "requests.arrived"));
}

// Half a second of a standstill is in the slowest completions, and nothing is lost.
TEST(HungTarget, GoesOnWhereItStood) {
  const RunResult result =
      run_pair([](Scenario& s) { s.faults = {fault(Fault::Kind::hang, kTarget, 1.0, 0.5)}; });
  EXPECT_EQ(value(result, "requests.completed"), value(result, "requests.arrived"));
  EXPECT_GT(value(result, "latency.end_to_end.p99_ms"), 450.0);
  EXPECT_EQ(value(result, "requests.retries"), 0.0);
}

TEST(SlowNode, TakesItsFactorOnEveryPass) {
  const auto run = [](double factor, BackendId backend) {
    return run_pair([&](Scenario& s) {
      if (factor == 1.0) return;
      for (const BackendId each : {backend, BackendId{backend.value + 2}}) {
        s.faults.push_back(fault(Fault::Kind::slow, each, 0.0));
        s.faults.back().factor = factor;
      }
    });
  };
  const double usual = value(run(1.0, kTarget), "latency.tpot.p50_ms");
  const double target = value(run(4.0, kTarget), "latency.tpot.p50_ms");
  EXPECT_GT(target, 2.0 * usual);
  EXPECT_LT(target, 6.0 * usual);
  EXPECT_GT(value(run(4.0, kDraft), "latency.tpot.p50_ms"), 1.3 * usual) << "gray failure";
}

TEST(Partition, OfEitherDirectionLooksLikeADeathToProbes) {
  for (const bool outward : {true, false}) {
    const RunResult result = run_pair([outward](Scenario& s) {
      s.faults = {outward ? partition(kRouter, kTarget, 1.0) : partition(kTarget, kRouter, 1.0)};
    });
    EXPECT_GT(value(result, "probes_noticed_ms"), 100.0);
    EXPECT_EQ(value(result, "requests.completed"), value(result, "requests.arrived"));
    EXPECT_GT(value(result, "requests.retries"), 0.0);
  }
}

// What was lost on the way is sent again once the path is there: nobody had noticed.
TEST(Partition, ShorterThanTheProbesDelaysWhatItCaught) {
  const RunResult result =
      run_pair([](Scenario& s) { s.faults = {partition(kRouter, kTarget, 1.0, 0.15)}; });
  EXPECT_TRUE(std::isnan(value(result, "probes_noticed_ms")));
  EXPECT_EQ(value(result, "requests.completed"), value(result, "requests.arrived"));
  EXPECT_EQ(value(result, "requests.retries"), 0.0);
}

// One direction between target and draft is enough, and no probe looks there.
TEST(Partition, BetweenTargetAndDraftNeedsADraftTimeout) {
  const auto run = [](std::optional<Seconds> timeout) {
    return run_pair([timeout](Scenario& s) {
      s.pools[0].speculation.draft_timeout = timeout;
      s.faults = {partition(kDraft, kTarget, 1.0)};
      s.router.request_timeout = Seconds{3.0};
    });
  };
  const RunResult waits = run({});
  EXPECT_TRUE(std::isnan(value(waits, "probes_noticed_ms")));
  EXPECT_GT(value(waits, "requests.timed_out"), 10.0);
  const RunResult goes_on = run(Seconds{0.02});
  EXPECT_EQ(value(goes_on, "requests.completed"), value(goes_on, "requests.arrived"));
}

TEST(Drain, FinishesWhatItHasAndMayEmptyATier) {
  const RunResult result = run_pair([](Scenario& s) {
    s.faults = {fault(Fault::Kind::drain, BackendId{0}, 1.0, 1.0),
                fault(Fault::Kind::drain, BackendId{2}, 1.0, 1.0)};
    s.router.queue_limit = 20;
  });
  EXPECT_EQ(value(result, "requests.failed"), 0.0);
  EXPECT_EQ(value(result, "requests.retries"), 0.0);
  // 60 requests a second arrive while nobody takes any; 20 may wait.
  EXPECT_GT(value(result, "requests.rejected"), 15.0);
  EXPECT_EQ(value(result, "requests.completed") + value(result, "requests.rejected"),
            value(result, "requests.arrived"));
}

// A dead process refuses at once, so it has the fewest outstanding requests: a black hole.
TEST(DeadProcess, DrawsTheTrafficThatItRefuses) {
  const auto run = [](bool silent, bool breaker) {
    return run_pair([=](Scenario& s) {
      s.faults = {fault(Fault::Kind::crash, kTarget, 1.0)};
      s.faults[0].silent = silent;
      s.router.probe_period = Seconds{2.0};
      s.router.max_retries = 1;
      if (breaker)
        s.router.breaker = BreakerSettings{.consecutive_failures = 3,
                                           .failure_share = {},
                                           .window_s = 10,
                                           .min_tries = 1,
                                           .deviations = {},
                                           .deviation_min_targets = 5,
                                           .deviation_min_tries = 100,
                                           .sweep = Seconds{10.0},
                                           .open = Seconds{30.0},
                                           .open_growth = OpenGrowth::none,
                                           .max_open = Seconds{30.0},
                                           .half_open = HalfOpen::one,
                                           .successes_to_close = 1,
                                           .max_open_share = 1.0,
                                           .closes_on_probe = false,
                                           .counts_client_errors = false};
    });
  };
  const RunResult refuses = run(false, false);
  EXPECT_GT(value(refuses, "requests.failed"), 30.0);
  const RunResult broken = run(false, true);
  EXPECT_LT(value(broken, "requests.failed"), 10.0);
  EXPECT_GE(value(broken, "breaker.openings"), 1.0);
  EXPECT_TRUE(std::isnan(value(run(true, false), "tries.sent"))) << "nothing answers there";
}

// Answers that blame the client are nobody's to retry.
TEST(ErrorAnswers, AreRetriedUnlessTheyBlameTheClient) {
  const auto run = [](ErrorAnswer answer) {
    return run_pair([answer](Scenario& s) {
      s.faults = {fault(Fault::Kind::errors, kTarget, 0.0)};
      s.faults[0].answer = answer;
      s.faults[0].share = 0.5;
    });
  };
  const RunResult server = run(ErrorAnswer::server);
  EXPECT_GT(value(server, "tries.failed"), 20.0);
  EXPECT_LT(value(server, "requests.failed"), 0.1 * value(server, "tries.failed"));
  const RunResult client = run(ErrorAnswer::client);
  EXPECT_EQ(value(client, "requests.failed"), value(client, "tries.failed"));
  EXPECT_EQ(value(client, "requests.retries"), 0.0);
}

// All completions have 24 tokens: 1 - (1 - 0.01)^24 = 21.4 % of those of a node that errs.
TEST(WrongTokens, CorruptByTheTokenAndNobodyIsTold) {
  const RunResult result = run_pair([](Scenario& s) {
    s.classes[0].output = {.kind = models::LengthKind::fixed, .mean = 24.0, .limit = 64};
    s.degradation.loop_hazard_at_zero_entropy = 0.0;
    s.horizon = Seconds{20.0};
    for (const BackendId each : {BackendId{0}, BackendId{2}}) {
      s.faults.push_back(fault(Fault::Kind::wrong_tokens, each, 0.0));
      s.faults.back().hazard_per_token = 0.01;
    }
  });
  const double share = value(result, "degraded.corruption") / value(result, "requests.completed");
  EXPECT_NEAR(share, 0.214, 0.04);
  EXPECT_EQ(value(result, "requests.completed"), value(result, "requests.arrived"));
}

/// Twice what the fleet can do, for three seconds; tries of 0.3 s that begin again.
void storm(Scenario& s, std::uint32_t layers, std::optional<double> budget) {
  s.classes[0].arrivals.open.rate_per_s = 600.0;
  for (const std::uint32_t b : {0U, 2U}) s.backends[b].max_sequences = 4;
  s.router.retries_keep_tokens = false;
  s.router.request_timeout = Seconds{60.0};
  s.drain_limit = Seconds{30.0};
  for (std::uint32_t i = 0; i < layers; ++i) {
    s.router.retry_layers.push_back(layer(3));
    s.router.retry_layers.back().budget_share = budget;
  }
  s.router.retry_layers.back().try_timeout = Seconds{0.3};
}

// Layers multiply: up to 4 x 4 tries of one request. The run ends, and says what happened.
TEST(RetryStorm, MultipliesOverLayersAndIsBoundByABudget) {
  const auto tries = [](std::uint32_t layers, std::optional<double> budget) {
    const RunResult result = run_pair([=](Scenario& s) { storm(s, layers, budget); });
    EXPECT_EQ(value(result, "requests.completed") + value(result, "requests.failed") +
                  value(result, "requests.timed_out") + value(result, "requests.rejected") +
                  value(result, "requests.unfinished"),
              value(result, "requests.arrived"));
    return 1.0 + value(result, "requests.retries") / value(result, "requests.arrived");
  };
  const double one = tries(1, {});
  const double two = tries(2, {});
  const double budgeted = tries(2, 0.1);
  EXPECT_GT(one, 2.0);
  EXPECT_GT(two, 2.0 * one);
  EXPECT_LT(budgeted, 1.25);
}

// A try that is given up costs what it had emitted.
TEST(TryTimeout, WastesTheTokensOfTriesThatBeginAgain) {
  const auto wasted = [](bool keep) {
    return value(run_pair([keep](Scenario& s) {
                   s.router.retry_layers = {layer(2, 0.08)};
                   s.router.retries_keep_tokens = keep;
                 }),
                 "tries.wasted_tokens");
  };
  EXPECT_GT(wasted(false), 100.0);
  EXPECT_EQ(wasted(true), 0.0);
}

TEST(RandomFailures, AreDrawnBySeedAndTheSameForEveryGate) {
  const auto scenario = [](const char* gate) {
    return [gate] {
      Scenario s = plain_scenario();
      s.random_faults = {{.effect = Fault::Kind::crash,
                          .backends = {kTarget},
                          .gpu_hours_per_failure = 1.0 / 3600.0,
                          .restart_after = Seconds{0.1},
                          .silent = true}};
      s.gates = {{"gate", std::string(R"({"gate": ")") + gate + R"("})"}};
      return s;
    };
  };
  const auto results = run_worlds({{scenario("none"), {.seed = 1}},
                                   {scenario("validity"), {.seed = 1}},
                                   {scenario("none"), {.seed = 2}}});
  EXPECT_EQ(results[0].failure, "");
  EXPECT_EQ(value(results[0], "probes_noticed_ms"), value(results[1], "probes_noticed_ms"));
  EXPECT_NE(value(results[0], "probes_noticed_ms"), value(results[2], "probes_noticed_ms"));
}

}  // namespace
}  // namespace specroute::sim
