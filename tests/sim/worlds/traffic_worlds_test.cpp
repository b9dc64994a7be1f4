// Traffic that waits, that comes from files, that belongs to tenants, that has priorities.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/sim/worlds/random_scenario.hpp"
#include "tests/sim/worlds/random_traffic.hpp"
#include "tests/sim/worlds/request_rows.hpp"
#include "tests/sim/worlds/run_world.hpp"

namespace specroute::sim {
namespace {

Scenario users_world(std::uint32_t users) {
  Scenario s = plain_scenario();
  s.classes[0].arrivals = Arrivals{};
  s.classes[0].arrivals.closed_loop = ClosedLoop{.users = users,
                                                 .think = ClosedLoop::Think::exponential,
                                                 .mean_think = Seconds{0.1},
                                                 .cv = 0.0};
  s.horizon = Seconds{8.0};
  return s;
}

/// Most requests in the system at one time, by the rows that a run wrote.
int most_at_once(const RunResult& result) {
  std::vector<std::pair<double, int>> changes;
  for (const RequestRow& row : request_rows(result)) {
    changes.emplace_back(row.arrival, 1);
    changes.emplace_back(row.at, -1);
  }
  std::ranges::sort(changes);
  int now = 0;
  int most = 0;
  for (const auto& [date, change] : changes) most = std::max(most, now += change);
  return most;
}

/// Rows of every request are kept.
const RunOptions kRows{.keep_requests = true};

// By Little's law with the think time as a station: users = throughput x (think + response).
TEST(ClosedLoop, HoldsAsManyRequestsAsUsersAndObeysLittlesLaw) {
  Scenario dead = users_world(40);
  dead.faults = {{Fault::Kind::crash, BackendId{0}, Seconds{2.0}, Seconds{5.0}}};
  const auto results = run_all({users_world(40), dead}, kRows);
  EXPECT_LE(most_at_once(results[0]), 40);
  EXPECT_EQ(most_at_once(results[1]), 40) << "everybody waits through an outage";
  EXPECT_LT(metric(results[1], "requests.arrived"), metric(results[0], "requests.arrived"));
  EXPECT_EQ(metric(results[1], "requests.completed"), metric(results[1], "requests.arrived"));
  const double responds = metric(results[0], "requests.sojourn_mean_ms") / 1e3;
  const double expected = 40.0 * 8.0 / (0.1 + responds);
  EXPECT_NEAR(metric(results[0], "requests.arrived"), expected, 0.05 * expected);
}

// A user's draws are its own: whether others are served changes nothing in what it asks for.
TEST(ClosedLoop, AsksTheSameThingsWhateverTheAnswersTake) {
  Scenario slow = users_world(6);
  slow.backends[0].max_sequences = 1;
  const auto results = run_all({users_world(6), slow}, kRows);
  std::map<std::uint64_t, std::vector<std::string>> asked[2];
  for (int i = 0; i < 2; ++i)
    for (const RequestRow& row : request_rows(results[i]))
      asked[i][row.session].push_back(row.prompt);
  ASSERT_EQ(asked[0].size(), 6U);
  for (const auto& [user, prompts] : asked[1]) {
    ASSERT_LE(prompts.size(), asked[0][user].size());
    EXPECT_TRUE(std::ranges::equal(prompts, std::span(asked[0][user]).first(prompts.size())));
  }
}

TEST(TraceWorld, PlaysTheRowsOfItsFile) {
  Scenario s = plain_scenario();
  const auto rows = made_up_trace(7, 60.0);
  s.classes[0].arrivals = trace_arrivals(rows);
  s.classes[0].arrivals.trace->start = Seconds{0.5};
  s.classes[0].arrivals.trace->time_scale = 0.5;
  s.horizon = Seconds{2.0};
  s.degradation.loop_hazard_at_zero_entropy = 0.0;
  const auto result = run_all({s}, kRows).front();
  const auto played = request_rows(result);
  double within = 0.0;
  for (const double at : rows->arrival_s) within += 0.5 + 0.5 * at < 2.0;
  ASSERT_GT(within, 50.0);
  EXPECT_EQ(metric(result, "trace.played"), within);
  EXPECT_EQ(metric(result, "requests.arrived"), within);
  EXPECT_EQ(metric(result, "trace.kept"), 300.0);
  std::map<std::uint64_t, RequestRow> by_number;
  for (const RequestRow& row : played) by_number[row.request] = row;
  for (const auto& [number, row] : by_number) {
    EXPECT_NEAR(row.arrival, 0.5 + 0.5 * rows->arrival_s[number], 1e-9);
    EXPECT_EQ(row.prompt, std::to_string(rows->prompt_tokens[number]));
    EXPECT_EQ(row.emitted, std::min(rows->output_tokens[number], 64U));
    EXPECT_EQ(row.tenant, rows->tenants[rows->tenant[number]]);
  }
}

// A slice of half a second, four times over in two seconds.
TEST(TraceWorld, BeginsAgainUntilTheHorizon) {
  Scenario s = plain_scenario();
  auto rows = std::make_shared<Trace>();
  for (const double at : {0.1, 0.25, 0.25}) {
    rows->arrival_s.push_back(at);
    rows->prompt_tokens.push_back(20);
    rows->output_tokens.push_back(3);
  }
  s.classes[0].arrivals = trace_arrivals(rows);
  s.classes[0].arrivals.trace->slice.to = Seconds{0.5};
  s.classes[0].arrivals.trace->loop = true;
  s.horizon = Seconds{2.0};
  std::vector<double> dates;
  for (const RequestRow& row : request_rows(run_all({s}, kRows).front()))
    dates.push_back(row.arrival);
  std::ranges::sort(dates);
  ASSERT_EQ(dates.size(), 12U);
  for (std::size_t pass = 0; pass < 4; ++pass) {
    EXPECT_NEAR(dates[3 * pass], 0.5 * static_cast<double>(pass) + 0.1, 1e-9);
    EXPECT_EQ(dates[3 * pass + 1], dates[3 * pass + 2]);
  }
}

// 2 : 1 : 1 of some 700 requests, within 5 standard errors (sqrt(700 x 0.25) = 13).
TEST(Tenants, ShareAClassByWeightAndAddUp) {
  Scenario s = plain_scenario();
  s.classes[0].tenants = {{"large", 2.0}, {"left", 1.0}, {"right", 1.0}};
  s.classes[0].arrivals = poisson_arrivals(230.0);
  const auto result = run_all({s}, kRows).front();
  const double arrived = metric(result, "requests.arrived");
  EXPECT_EQ(metric(result, "tenant.large.requests") + metric(result, "tenant.left.requests") +
                metric(result, "tenant.right.requests"),
            arrived);
  EXPECT_NEAR(metric(result, "tenant.large.requests"), 0.5 * arrived, 66.0);
  EXPECT_NEAR(metric(result, "tenant.left.requests"), 0.25 * arrived, 66.0);
  EXPECT_EQ(metric(result, "tenant.left.degraded") + metric(result, "tenant.right.degraded") +
                metric(result, "tenant.large.degraded"),
            metric(result, "degraded.total"));
}

// Tenants are drawn apart: naming them changes nobody's arrival or lengths.
TEST(Tenants, LeaveTheTrafficAsItIs) {
  Scenario named = plain_scenario();
  named.classes[0].tenants = {{"a", 1.0}, {"b", 1.0}};
  const auto results = run_all({plain_scenario(), named}, kRows);
  EXPECT_EQ(results[0].digest, results[1].digest);
}

TEST(Priority, LetsTheHigherClassOvertakeAtTheRouter) {
  const auto world = [](std::int32_t priority) {
    Scenario s = plain_scenario();
    s.router.max_outstanding_per_engine = 4;
    s.drain_limit = Seconds{60.0};
    s.classes.push_back(s.classes[0]);
    s.classes[1].name = "urgent";
    s.classes[1].arrivals = poisson_arrivals(10.0);
    s.classes[1].priority = priority;
    s.classes[0].arrivals.open.request_bursts = {{Seconds{0.5}, 400, Seconds{0.0}}};
    return s;
  };
  const auto results = run_all({world(0), world(5), world(-5)}, kRows);
  const auto mean_wait = [](const RunResult& result) {
    double sum = 0.0;
    double count = 0.0;
    for (const RequestRow& row : request_rows(result))
      if (row.request_class == "urgent") sum += row.at - row.arrival, count += 1.0;
    return sum / count;
  };
  EXPECT_LT(mean_wait(results[1]), 0.3 * mean_wait(results[0]));
  EXPECT_GT(mean_wait(results[2]), mean_wait(results[0]));
  for (const RunResult& result : results)
    EXPECT_EQ(metric(result, "requests.completed"), metric(result, "requests.arrived"));
}

}  // namespace
}  // namespace specroute::sim
