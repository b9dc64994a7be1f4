// Worlds with one fault each: what the router can and cannot see of it.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/sim/worlds/random_scenario.hpp"
#include "tests/sim/worlds/request_rows.hpp"
#include "tests/sim/worlds/run_world.hpp"

namespace specroute::sim {
namespace {

constexpr BackendId kRouter{};

/// Two pairings, target 0 with draft 1 and target 2 with draft 3, after a change to them.
template <class Change>
RunResult run_pair(Change change, const RunOptions& options = {}) {
  Scenario s = plain_scenario();
  s.backends.push_back(s.backends[0]);
  s.backends.push_back(s.backends[1]);
  s.backends[2].name = "target-2";
  s.backends[3].name = "draft-2";
  s.pairings.push_back({BackendId{2}, BackendId{3}});
  change(s);
  return run_all({s}, options).front();
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

// Dead at 1.0, launched at 1.2, warm at 1.7: the hang at 1.4 finds no process.
TEST(HungTarget, IsNotOneThatWasYetToStart) {
  const RunResult result = run_pair([](Scenario& s) {
    s.backends.resize(2);
    s.pairings.resize(1);
    s.backends[0].hosting.warm_up = Seconds{0.5};
    s.faults = {fault(Fault::Kind::crash, kTarget, 1.0, 0.2),
                fault(Fault::Kind::hang, kTarget, 1.4)};
    s.router.probe_kind = ProbeKind::end_to_end;
  });
  EXPECT_EQ(value(result, "requests.completed"), value(result, "requests.arrived"));
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

// Behind a cut at 1 s a target goes on emitting, for nobody. What had come through before stays
// with the request, even where it ends behind the cut; what is emitted later does not, and no probe
// can tell before 1.2 s.
TEST(Partition, LeavesTheRouterWithTheTokensThatItHad) {
  const auto rows = [](bool cut) {
    return request_rows(run_pair(
        [cut](Scenario& s) {
          if (cut) s.faults = {partition(kTarget, kRouter, 1.0)};
        },
        {.keep_requests = true}));
  };
  std::map<std::uint64_t, double> usual;
  for (const RequestRow& row : rows(false)) usual[row.request] = row.first_token;
  int before = 0;
  int behind = 0;
  for (const RequestRow& row : rows(true)) {
    if (row.retries == 0 || row.arrival > 1.15) continue;
    const bool had_some = usual.at(row.request) < 1.0;
    before += had_some;
    behind += !had_some;
    if (had_some) {
      EXPECT_EQ(row.first_token, usual.at(row.request)) << row.request;
    } else {
      EXPECT_GT(row.first_token, 1.2) << row.request;
    }
  }
  EXPECT_GT(before, 0);
  EXPECT_GT(behind, 0);
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

BreakerSettings breaker(std::uint32_t consecutive_failures, double open, bool closes_on_probe) {
  return {.consecutive_failures = consecutive_failures,
          .failure_share = {},
          .window_s = 10,
          .min_tries = 1,
          .deviations = {},
          .deviation_min_targets = 5,
          .deviation_min_tries = 100,
          .sweep = Seconds{10.0},
          .open = Seconds{open},
          .open_growth = OpenGrowth::none,
          .max_open = Seconds{open},
          .half_open = HalfOpen::one,
          .successes_to_close = 1,
          .max_open_share = 1.0,
          .closes_on_probe = closes_on_probe,
          .counts_client_errors = false};
}

// One target drains, the other's breaker opens just before the last arrival: what waits at the
// router is served when a probe closes the breaker, though nothing else happens then.
TEST(Breaker, ServesWhatWaitedWhenAProbeClosesIt) {
  const RunResult result = run_pair([](Scenario& s) {
    s.faults = {fault(Fault::Kind::drain, BackendId{0}, 2.0),
                fault(Fault::Kind::errors, BackendId{2}, 2.8, 0.3)};
    s.faults[1].share = 1.0;
    s.router.probe_period = Seconds{2.0};
    s.router.breaker = breaker(1, 300.0, true);
  });
  EXPECT_GE(value(result, "breaker.openings"), 1.0);
  EXPECT_EQ(value(result, "requests.completed"), value(result, "requests.arrived"));
}

// A dead process refuses at once, so it has the fewest outstanding requests: a black hole.
TEST(DeadProcess, DrawsTheTrafficThatItRefuses) {
  const auto run = [](bool silent, bool breaks) {
    return run_pair([=](Scenario& s) {
      s.faults = {fault(Fault::Kind::crash, kTarget, 1.0)};
      s.faults[0].silent = silent;
      s.router.probe_period = Seconds{2.0};
      s.router.max_retries = 1;
      if (breaks) s.router.breaker = breaker(3, 30.0, false);
    });
  };
  const RunResult refuses = run(false, false);
  EXPECT_GT(value(refuses, "requests.failed"), 30.0);
  const RunResult broken = run(false, true);
  EXPECT_LT(value(broken, "requests.failed"), 10.0);
  EXPECT_GE(value(broken, "breaker.openings"), 1.0);
  // A dead host answers nothing: what it holds counts as outstanding, so it draws no more than its
  // share, and all of that waits for the third probe (at 6 s) and is served elsewhere.
  const RunResult silent = run(true, false);
  EXPECT_EQ(value(silent, "requests.failed"), 0.0);
  EXPECT_EQ(value(silent, "requests.completed"), value(silent, "requests.arrived"));
  EXPECT_GT(value(silent, "requests.retries"), 5.0);
  EXPECT_LT(value(silent, "requests.retries"), 30.0);
  EXPECT_NEAR(value(silent, "probes_noticed_ms"), 5050.0, 999.0);
  EXPECT_GT(value(silent, "latency.end_to_end.p99_ms"), 3000.0);
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

// Each token is judged at the hazard that it was emitted under: a second one, of next to nothing,
// does not wash off what the first has done.
TEST(WrongTokens, OfTwoHazardsCountEachAtItsOwn) {
  const auto corrupted = [](bool second) {
    return value(run_pair([second](Scenario& s) {
                   s.degradation.loop_hazard_at_zero_entropy = 0.0;
                   for (const BackendId each : {BackendId{0}, BackendId{2}}) {
                     s.faults.push_back(fault(Fault::Kind::wrong_tokens, each, 1.0, 0.2));
                     s.faults.back().hazard_per_token = 0.5;
                     if (!second) continue;
                     s.faults.push_back(fault(Fault::Kind::wrong_tokens, each, 1.21, 0.5));
                     s.faults.back().hazard_per_token = 1e-9;
                   }
                 }),
                 "degraded.corruption");
  };
  EXPECT_GT(corrupted(false), 5.0);
  EXPECT_EQ(corrupted(true), corrupted(false));
}

TEST(Retries, CountThoseThatWereMadeAndNotTheOneTooMany) {
  const RunResult result = run_pair([](Scenario& s) {
    s.router.max_retries = 0;
    s.faults = {fault(Fault::Kind::crash, kTarget, 1.0)};
  });
  EXPECT_GT(value(result, "requests.failed"), 3.0);
  EXPECT_EQ(value(result, "requests.retries"), 0.0);
}

// The router unbinds a target that it cannot reach; what that one emitted before is as wrong as if
// it had died. Of 0.1 s and more at a hazard of one half nothing is spared.
TEST(WrongTokens, StayWithARequestThatItsTargetIsRelievedOf) {
  const RunResult result = run_pair(
      [](Scenario& s) {
        s.degradation.loop_hazard_at_zero_entropy = 0.0;
        s.faults = {fault(Fault::Kind::wrong_tokens, kTarget, 0.0),
                    partition(kRouter, kTarget, 1.0)};
        s.faults[0].hazard_per_token = 0.5;
        s.classes[0].output = {.kind = models::LengthKind::fixed, .mean = 300.0, .limit = 600};
        s.classes[0].arrivals.open.rate_per_s = 20.0;
      },
      {.keep_requests = true});
  int relieved = 0;
  for (const RequestRow& row : request_rows(result)) {
    if (row.retries == 0 || !(row.first_token < 1.0)) continue;
    ++relieved;
    EXPECT_TRUE(row.corruption) << row.request;
  }
  EXPECT_GT(relieved, 2);
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

// All text loops early. What a dead target had begun is begun again by the other one, whose steps
// alone made it loop: a try that came to nothing takes its blame along.
TEST(TriesThatBeginAgain, AreBlamedOnTheTryThatCompleted) {
  const RunResult result = run_pair(
      [](Scenario& s) {
        s.profiles[0].sampling.temperature = 0.0;
        s.degradation.loop_hazard_at_zero_entropy = 0.1;
        s.degradation.schema_hazard_per_token = 0.0;
        s.router.retries_keep_tokens = false;
        s.faults = {fault(Fault::Kind::crash, kTarget, 1.0)};
      },
      {.keep_requests = true});
  int begun_again = 0;
  for (const RequestRow& row : request_rows(result)) {
    if (row.retries == 0 || row.first_cause.empty()) continue;
    ++begun_again;
    EXPECT_EQ(row.pairing, "target-2+draft-2") << "request " << row.request;
  }
  EXPECT_GT(begun_again, 3);
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
