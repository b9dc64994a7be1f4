// Fail-overs that meet a second misfortune before they are over.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/worlds/random_scenario.hpp"
#include "tests/sim/worlds/request_rows.hpp"
#include "tests/sim/worlds/run_world.hpp"

namespace specroute::sim {
namespace {

/// One more backend like the given one, which serves when it is needed.
void add_spare(Scenario& s, BackendId like, const char* name) {
  Backend spare = s.backends[like.index()];
  spare.name = name;
  spare.standby = true;
  s.backends.push_back(spare);
}

/// What a job at temperature 0 sets on the target, and leaves behind a tenth of a second later.
Override left_by_a_job(double from) {
  Override stale{};
  stale.backend = kTarget;
  stale.owner = "job";
  stale.from = Seconds{from};
  stale.owner_gone = Seconds{from + 0.1};
  stale.temperature = 0.0;
  return stale;
}

// The draft is dead, so the standby is to serve alone; a command takes 1 s, so the standby, which
// dies at 1.6 s, dies after the router has chosen it (the target's death at 1 s is noticed within
// three probes, by 1.4 s) and before it is bound. Once back, it takes over all that waited.
TEST(Failover, FindsATargetAgainWhereTheOneChosenToServeAloneDies) {
  const auto scenario = [] {
    Scenario s = plain_scenario();
    add_spare(s, kTarget, "standby");
    s.router.command_transport = Seconds{1.0};
    s.faults = {{Fault::Kind::crash, BackendId{1}, Seconds{0.9}, {}},
                {Fault::Kind::crash, BackendId{0}, Seconds{1.0}, {}},
                {Fault::Kind::crash, BackendId{2}, Seconds{1.6}, Seconds{2.1}}};
    return s;
  };
  const auto results = run_worlds({{scenario, {}}, {scenario, {.mode = LaneMode::lockstep}}});
  ASSERT_EQ(results[0].failure, "");
  EXPECT_EQ(to_bytes(results[0]), to_bytes(results[1]));
  EXPECT_GT(metric(results[0], "outage_ms"), 2000.0) << "two commands of 1 s each";
  EXPECT_EQ(metric(results[0], "requests.completed"), metric(results[0], "requests.arrived"));
}

/// A draft dies at 1 s and a spare one is there; the spare one's own fault, if any, comes too.
RunResult replace_draft(std::optional<Fault> second) {
  const auto results =
      run_worlds({{[second] {
                     Scenario s = plain_scenario();
                     add_spare(s, kDraft, "spare");
                     s.faults = {{Fault::Kind::crash, BackendId{1}, Seconds{1.0}, {}}};
                     if (second) s.faults.push_back(*second);
                     return s;
                   },
                   {}}});
  EXPECT_EQ(results[0].failure, "");
  return results[0];
}

/// When the spare draft was bound; NaN if it never was.
double spare_bound(const RunResult& result) {
  for (const DecisionEntry& entry : result.decisions)
    if (entry.is_bind() && entry.draft == "spare") return entry.at_s;
  return std::nan("");
}

// It is verified and rebuilds the contexts when it is lost, 0.1 ms before the commit that would
// have been: whatever took it, nothing is committed on its behalf.
TEST(Rebuild, OfADraftThatIsLostMeanwhileCommitsNothing) {
  const double bound = spare_bound(replace_draft({}));
  ASSERT_GT(bound, 1.2);
  for (const Fault::Kind kind : {Fault::Kind::crash, Fault::Kind::hang, Fault::Kind::partition}) {
    Fault loss{.kind = kind, .backend = BackendId{2}, .at = Seconds{bound - 1e-4}, .until = {}};
    if (kind == Fault::Kind::partition) loss.backend = BackendId{};
    if (kind == Fault::Kind::partition) loss.from = BackendId{2};
    const RunResult result = replace_draft(loss);
    EXPECT_TRUE(std::isnan(spare_bound(result))) << static_cast<int>(kind);
    EXPECT_EQ(metric(result, "requests.completed"), metric(result, "requests.arrived"));
  }
}

// Nor by a new process in its place, which knows none of the contexts: it is asked again.
TEST(Rebuild, IsNotDoneByTheProcessThatFollows) {
  const double bound = spare_bound(replace_draft({}));
  const double again = spare_bound(replace_draft(
      Fault{Fault::Kind::crash, BackendId{2}, Seconds{bound - 1e-4}, Seconds{bound - 5e-5}}));
  EXPECT_GT(again, bound + 0.2) << "alone for 0.3 s, and then readmitted";
}

// A job leaves the target stale, and the policy moves the traffic to the stand-by: the router's own
// doing, which fails nothing, spends no retry and is not the target's fault.
TEST(Move, OfAHealthyTargetCostsNoTries) {
  const auto scenario = [] {
    Scenario s = plain_scenario();
    add_spare(s, kTarget, "standby");
    s.overrides = {left_by_a_job(1.0)};
    s.gates = {{"gate", R"({"gate": "validity"})"}};
    s.router.max_retries = 0;
    s.router.breaker = BreakerSettings{};
    s.router.breaker->consecutive_failures = 1;
    s.router.breaker->window_s = 10;
    s.router.breaker->open = s.router.breaker->max_open = Seconds{30.0};
    s.router.breaker->max_open_share = 1.0;
    return s;
  };
  const auto results = run_worlds({{scenario, {.keep_requests = true}}});
  ASSERT_EQ(results[0].failure, "");
  EXPECT_GT(metric(results[0], "decisions.rebinds"), 0.0);
  EXPECT_GT(metric(results[0], "tries.sent"), metric(results[0], "requests.arrived")) << "moved";
  EXPECT_EQ(metric(results[0], "tries.failed"), 0.0);
  EXPECT_EQ(metric(results[0], "breaker.openings"), 0.0);
  EXPECT_EQ(metric(results[0], "requests.retries"), 0.0);
  EXPECT_EQ(metric(results[0], "requests.completed"), metric(results[0], "requests.arrived"));
}

/// A fail-over to a draft that is truly better; the way from the stand-by to the router is cut at a
/// date, for 0.9 s, which no probe minds.
RunResult gain(std::optional<double> cut_at) {
  const auto results =
      run_worlds({{[cut_at] {
                     Scenario s = plain_scenario();
                     add_spare(s, kTarget, "standby");
                     add_spare(s, kDraft, "spare");
                     s.backends[3].model = "smollm2-360m";
                     s.acceptance = {s.acceptance[0], s.acceptance[0]};
                     s.acceptance[0].noise = 4.0;
                     s.acceptance[1].draft_model = "smollm2-360m";
                     s.acceptance[1].noise = 0.1;
                     s.degradation.loop_hazard_at_zero_entropy = 0.0;
                     s.horizon = Seconds{12.0};
                     s.router.unhealthy_threshold = 20;
                     s.gates = {{"gate", R"({"gate": "validity", "cool_down_s": 1.0})"}};
                     s.faults = {{Fault::Kind::crash, BackendId{0}, Seconds{3.0}, {}},
                                 {Fault::Kind::crash, BackendId{1}, Seconds{3.0}, {}}};
                     if (cut_at) {
                       Fault cut{.kind = Fault::Kind::partition,
                                 .backend = BackendId{},
                                 .at = Seconds{*cut_at},
                                 .until = Seconds{*cut_at + 0.9}};
                       cut.from = BackendId{2};
                       s.faults.push_back(cut);
                     }
                     return s;
                   },
                   {}}});
  EXPECT_EQ(results[0].failure, "");
  return results[0];
}

// The first window after the cut speaks of all the time since the bind, so that the cool-down of 1
// s is over 1 s after that: not after the cut, which would be 1.9 s.
TEST(Window, AfterACutBeginsWhereTheLastOneEnded) {
  const auto bound = [](const RunResult& result) {
    for (const DecisionEntry& entry : result.decisions)
      if (entry.is_bind() && entry.target == "standby") return entry.at_s;
    return 0.0;
  };
  const auto locked = [](const RunResult& result) {
    for (const DecisionEntry& entry : result.decisions)
      if (!entry.is_bind() && entry.decision.h.type == SRP_LOCK) return entry.at_s;
    return 0.0;
  };
  const RunResult usual = gain({});
  ASSERT_GT(bound(usual), 2.5);
  const RunResult cut = gain(bound(usual) + 1e-3);
  ASSERT_EQ(bound(cut), bound(usual));
  EXPECT_GT(locked(usual), bound(usual) + 1.0);
  EXPECT_GT(locked(cut), bound(cut) + 1.0);
  EXPECT_LT(locked(cut), bound(cut) + 1.8);
}

// The primary ran under an override. The draft is found dead (by 1.9 s) before the stand-by is
// asked (at 2.2 s or later), so the stand-by serves alone already; the question is void by then,
// and does not give it what the primary ran under.
TEST(Failover, CopiesNoParametersForAnOperationThatIsVoid) {
  const auto scenario = [] {
    Scenario s = plain_scenario();
    add_spare(s, kTarget, "standby");
    s.router.standby_parameters = StandbyParameters::copied_from_primary;
    s.router.bind_verification = Seconds{1.0};
    s.overrides = {left_by_a_job(0.0)};
    s.degradation.loop_hazard_at_zero_entropy = 0.1;
    s.horizon = Seconds{5.0};
    s.faults = {{Fault::Kind::crash, BackendId{0}, Seconds{1.0}, {}},
                {Fault::Kind::crash, BackendId{1}, Seconds{1.45}, {}}};
    return s;
  };
  const auto results = run_worlds({{scenario, {.keep_requests = true}}});
  ASSERT_EQ(results[0].failure, "");
  std::size_t primary = 0;
  for (const RequestRow& row : request_rows(results[0])) {
    primary += row.pairing == "target+draft" && row.owners == "job";
    EXPECT_FALSE(row.pairing == "standby+alone" && row.owners != "none") << row.request;
  }
  EXPECT_GT(primary, 10U);
}

}  // namespace
}  // namespace specroute::sim
