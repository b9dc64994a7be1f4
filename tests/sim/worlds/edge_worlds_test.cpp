// Worlds at the edge: each ends, and says what became of its requests.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/worlds/random_scenario.hpp"
#include "tests/sim/worlds/run_world.hpp"

namespace specroute::sim {
namespace {

/// Runs the plain scenario after a change to it.
template <class Change>
RunResult run_changed(Change change) {
  const auto results = run_worlds({{[change] {
                                      Scenario scenario = plain_scenario();
                                      change(scenario);
                                      return scenario;
                                    },
                                    {}}});
  EXPECT_EQ(results.front().failure, "");
  return results.front();
}

TEST(EdgeWorld, CompletesEverythingWhereNothingIsWrong) {
  const RunResult result = run_changed([](Scenario&) {});
  EXPECT_GT(metric(result, "requests.arrived"), 100.0);
  EXPECT_EQ(metric(result, "requests.completed"), metric(result, "requests.arrived"));
  EXPECT_TRUE(std::isnan(metric(result, "detection_ms")));
}

TEST(EdgeWorld, EndsWithoutTraffic) {
  // Less than one arrival in 10^6 horizons.
  const RunResult result =
      run_changed([](Scenario& s) { s.classes[0].arrivals.open.rate_per_s = 1e-7; });
  EXPECT_EQ(metric(result, "requests.arrived"), 0.0);
  EXPECT_TRUE(std::isnan(metric(result, "slo_attainment")));
  EXPECT_TRUE(std::isnan(metric(result, "latency.ttft.p50_ms")));
}

TEST(EdgeWorld, EndsAtTheHorizonWhereNobodyWaits) {
  const RunResult result = run_changed([](Scenario& s) {
    s.classes[0].arrivals.open.rate_per_s = 1e-7;
    s.horizon = Seconds{3.6};
    s.drain_limit = Seconds{100.0};
    for (Backend& backend : s.backends) backend.hosting.usd_per_device_hour = 2.0;
  });
  EXPECT_NEAR(metric(result, "cost_usd"), 0.004, 1e-12) << "two devices, a thousandth of an hour";
}

TEST(EdgeWorld, LeavesUnfinishedWhatNobodyIsLeftToServe) {
  const RunResult result = run_changed([](Scenario& s) {
    s.faults = {{Fault::Kind::crash, BackendId{0}, Seconds{1.0}, {}},
                {Fault::Kind::crash, BackendId{1}, Seconds{1.0}, {}}};
  });
  EXPECT_GT(metric(result, "requests.completed"), 0.0);
  EXPECT_GT(metric(result, "requests.unfinished"), 0.0);
  EXPECT_TRUE(std::isnan(metric(result, "outage_ms"))) << "nothing took over";
}

// A restart within one probe period: no probe went unanswered, but the process that answers now
// knows nothing of what the old one was bound to or held.
TEST(EdgeWorld, RetriesWhatABounceFasterThanTheProbesHasLost) {
  for (const BackendId bounced : {BackendId{0}, BackendId{1}}) {
    const RunResult result = run_changed([bounced](Scenario& s) {
      s.faults = {{Fault::Kind::crash, bounced, Seconds{1.02}, Seconds{1.05}}};
    });
    EXPECT_EQ(metric(result, "requests.completed"), metric(result, "requests.arrived"));
    EXPECT_EQ(metric(result, "requests.retries") > 0.0, bounced == BackendId{0});
  }
}

TEST(EdgeWorld, ShedsWhatTheRoutersQueueCannotHold) {
  const RunResult result = run_changed([](Scenario& s) {
    s.router.queue_limit = 0;
    s.faults = {{Fault::Kind::crash, BackendId{0}, Seconds{1.0}, {}}};
  });
  EXPECT_GT(metric(result, "requests.rejected"), 0.0);
}

TEST(EdgeWorld, RejectsARequestThatNoKvCacheCouldHold) {
  const RunResult result = run_changed([](Scenario& s) {
    s.classes[0].prompt = {.kind = models::LengthKind::fixed, .mean = 9e6, .limit = 10'000'000};
  });
  EXPECT_GT(metric(result, "requests.arrived"), 0.0);
  EXPECT_EQ(metric(result, "requests.rejected"), metric(result, "requests.arrived"));
}

TEST(EdgeWorld, EndsWhereTheHorizonIsShorterThanAPrefill) {
  const RunResult result = run_changed([](Scenario& s) {
    s.horizon = Seconds{0.004};
    s.classes[0].arrivals.open.rate_per_s = 2000.0;
  });
  EXPECT_GT(metric(result, "requests.arrived"), 0.0);
  EXPECT_EQ(metric(result, "requests.completed"), metric(result, "requests.arrived"));
}

TEST(EdgeWorld, ServesCompletionsShorterThanADraft) {
  const RunResult result = run_changed([](Scenario& s) {
    s.pools[0].speculation.draft_tokens = 16;
    s.classes[0].output = {.kind = models::LengthKind::fixed, .mean = 2.0, .limit = 8};
    s.degradation.loop_hazard_at_zero_entropy = 0.0;  // a loop would run on to the limit
  });
  EXPECT_EQ(metric(result, "requests.completed"), metric(result, "requests.arrived"));
  EXPECT_EQ(metric(result, "tokens.output"), 2.0 * metric(result, "requests.arrived"));
}

/// Greedy, looping text: a tenth of all tokens enter loops that run on to 64 tokens.
void loop_often(Scenario& s) {
  s.profiles[0].sampling.temperature = 0.0;
  s.degradation.loop_hazard_at_zero_entropy = 0.1;
  s.degradation.schema_hazard_per_token = 0.0;
}

// Loops of period 8 seen after 2 copies: 16 tokens of output, or 8 more than at the entry.
TEST(EdgeWorld, EndsLoopsThatATargetDetects) {
  const RunResult unseen = run_changed(loop_often);
  const RunResult seen = run_changed([](Scenario& s) {
    loop_often(s);
    s.backends[0].repetition_detection = RepetitionDetection{1, 8, 2};
  });
  const RunResult blind = run_changed([](Scenario& s) {
    loop_often(s);
    s.backends[0].repetition_detection = RepetitionDetection{1, 7, 2};
  });
  const double loops = metric(unseen, "degraded.loop");
  EXPECT_GT(loops, 0.7 * metric(unseen, "requests.completed"));
  EXPECT_TRUE(std::isnan(metric(unseen, "loops_ended.target"))) << "nothing watches";
  EXPECT_GT(metric(seen, "loops_ended.target"), 0.9 * loops);
  EXPECT_LT(metric(seen, "tokens.output"), 0.5 * metric(unseen, "tokens.output"));
  EXPECT_EQ(metric(seen, "degraded.loop"), loops) << "truth does not depend on who watches";
  EXPECT_EQ(metric(blind, "loops_ended.target"), 0.0) << "period 8 is no pattern of up to 7";
  EXPECT_EQ(metric(blind, "tokens.output"), metric(unseen, "tokens.output"));
}

TEST(EdgeWorld, GoesOnAfterAnEscape) {
  const RunResult stuck = run_changed(loop_often);
  const RunResult free = run_changed([](Scenario& s) {
    loop_often(s);
    s.degradation.loop_escape_hazard = 1.0;
  });
  EXPECT_GE(metric(free, "degraded.loop"), metric(stuck, "degraded.loop"));
  EXPECT_LT(metric(free, "tokens.output"), metric(stuck, "tokens.output"));
}

TEST(EdgeWorld, StopsAtTheDrainLimitUnderOverload) {
  const RunResult result = run_changed([](Scenario& s) {
    s.classes[0].arrivals.open.rate_per_s = 3000.0;
    s.backends[0].max_sequences = 4;
    s.drain_limit = Seconds{0.5};
  });
  EXPECT_GT(metric(result, "requests.unfinished"), metric(result, "requests.completed"));
}

TEST(EdgeWorld, TimesOutWhatWaitsTooLong) {
  const RunResult result = run_changed([](Scenario& s) {
    s.classes[0].arrivals.open.rate_per_s = 3000.0;
    s.backends[0].max_sequences = 4;
    s.router.request_timeout = Seconds{0.2};
  });
  EXPECT_GT(metric(result, "requests.timed_out"), 0.0);
  EXPECT_EQ(metric(result, "requests.unfinished"), 0.0);
}

}  // namespace
}  // namespace specroute::sim
