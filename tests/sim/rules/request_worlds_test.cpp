// Requests that differ, and contexts that grow, in the running simulator.
#include <cmath>

#include "models/speculation/acceptance.hpp"
#include "tests/sim/rules/counted_acceptance.hpp"
#include "tests/sim/worlds/request_rows.hpp"

namespace specroute::sim {
namespace {

Scenario world() {
  Scenario s = plain_scenario();
  s.pools[0].speculation.rule = Rule::exact_match;
  s.horizon = Seconds{8.0};
  s.classes[0].arrivals.open.rate_per_s = 100.0;
  s.classes[0].output = {.kind = models::LengthKind::fixed, .mean = 40.0, .limit = 64};
  s.degradation.loop_hazard_at_zero_entropy = 0.0;
  return s;
}

/// Coefficient of variation over requests of the time from the first token to the last.
double spread_of_decode_times(const RunResult& result) {
  double count = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  for (const RequestRow& row : request_rows(result)) {
    const double time = row.at - row.first_token;
    count += 1.0;
    sum += time;
    squares += time * time;
  }
  const double mean = sum / count;
  return std::sqrt(squares / count - mean * mean) / mean;
}

// 800 requests of about 20 steps: without a correlation the rate has a standard error of .004; with
// one of .3, about .3 x .25 / 800 of variance more: .011.
TEST(CorrelatedWorld, KeepsTheCountedRateAndSpreadsTheRequests) {
  Scenario spread = world();
  spread.acceptance[0].correlation = 0.3;
  const auto results = run_all({world(), spread}, {.keep_requests = true});
  EXPECT_NEAR(counted_rate(results[1]), counted_rate(results[0]), 0.04);
  EXPECT_GT(spread_of_decode_times(results[1]), 1.5 * spread_of_decode_times(results[0]));
}

TEST(LongContextWorld, LosesAcceptanceAlongItsCurve) {
  Scenario decaying = world();
  decaying.acceptance[0].context_decay =
      models::ContextDecay{models::ContextDecay::Of::alpha, {{50.0, 1.0}, {88.0, 0.2}}};
  const auto results = run_all({world(), decaying});
  // Contexts run from 49 to 88 tokens, so alpha is at .6 of its value on average.
  EXPECT_LT(counted_rate(results[1]), 0.75 * counted_rate(results[0]));
  EXPECT_GT(counted_rate(results[1]), 0.3 * counted_rate(results[0]));
}

TEST(MeasuredPositions, ComeOutAsTheyWereMeasured) {
  Scenario s = world();
  const std::vector<double> published = {0.77, 0.45, 0.24};  // vLLM pull request 24344
  s.pools[0].speculation.draft_tokens = 3;
  s.acceptance[0].per_position =
      PerPosition{models::conditional_shape(published), Rule::exact_match, s.profiles[0].sampling};
  EXPECT_NEAR(counted_rate(run_all({s}).front()), (0.77 + 0.45 + 0.24) / 3.0, 0.015);
}

}  // namespace
}  // namespace specroute::sim
