// The oracle itself: what a rule does on average is what it does when played, and it is lossless
// exactly where theory says so.
#include "tests/real_pair/verdicts.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/real_pair/rounds.hpp"
#include "tests/real_pair/study.hpp"

namespace specroute::real_pair {
namespace {

constexpr int kDraws = 40000;
constexpr std::size_t kSymbols = 8;

std::vector<double> random_distribution(models::Stream& stream) {
  std::vector<double> values(kSymbols);
  double total = 0.0;
  for (double& value : values) total += value = std::pow(stream.uniform_open(), 3.0);
  for (double& value : values) value /= total;
  return values;
}

Position position_of(const Cell& cell, models::Stream& stream) {
  Position position;
  position.wanted = random_distribution(stream);
  position.drafted = random_distribution(stream);
  position.forwarded = position.wanted;
  position.believed = position.drafted;
  apply_temperature(position.wanted, cell.request_temperature);
  apply_temperature(position.forwarded, cell.in_force_temperature);
  apply_temperature(position.drafted, cell.in_force_temperature);
  apply_temperature(position.believed, cell.request_temperature);
  position.index = 1;
  return position;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t x = 0; x < a.size(); ++x) sum += std::fabs(a[x] - b[x]);
  return 0.5 * sum;
}

// The total variation between kDraws draws and what they are drawn from is at most
// 1/2 sqrt((kSymbols - 1) / kDraws) = 0.0066 in the mean (Cauchy-Schwarz), and concentrates within
// 1 / (2 sqrt(kDraws)) = 0.0025 of that: 0.015 is beyond three deviations.
constexpr double kSampling = 0.015;

TEST(Verdicts, WhenPlayedDoWhatTheirSumsSay) {
  models::Stream stream = models::Seed{5}.stream("verdicts");
  for (const Cell& cell : cells_of(3)) {
    const Position position = position_of(cell, stream);
    const Outcome outcome = outcome_of(cell.rule, position);
    std::vector<double> seen(kSymbols, 0.0);
    double accepted = 0.0;
    for (int i = 0; i < kDraws; ++i) {
      const Verdict verdict = decide(cell.rule, position, stream);
      seen[verdict.emitted] += 1.0 / kDraws;
      accepted += verdict.accepted ? 1.0 / kDraws : 0.0;
    }
    const std::string where = std::string{to_string(cell.rule)} + ", " + situation_of(cell);
    EXPECT_LT(distance(seen, outcome.emitted), kSampling) << where;
    EXPECT_NEAR(accepted, outcome.acceptance, 5.0 * 0.5 / std::sqrt(kDraws)) << where;
  }
}

TEST(Verdicts, EmitTheTargetWhereTheyShouldAndElseDoNot) {
  models::Stream stream = models::Seed{6}.stream("verdicts");
  for (const Cell& cell : cells_of(3)) {
    double worst = 0.0;
    for (int i = 0; i < 50; ++i) {
      const Position position = position_of(cell, stream);
      worst = std::max(worst, distance(outcome_of(cell.rule, position).emitted, position.wanted));
    }
    const std::string where = std::string{to_string(cell.rule)} + ", " + situation_of(cell);
    if (emits_target(cell)) {
      EXPECT_LT(worst, 1e-12) << where;
    } else {
      EXPECT_GT(worst, 0.05) << where;
    }
  }
}

// p = (.7, .3), q = (.4, .6). Rejection: .4 + .6 x .3 / .6 = .7. Exact match: .28 + .18 = .46.
// Coupled: 1 / (1 + max(.3 / .7, .6 / .4)) + 1 / (1 + max(.7 / .3, .4 / .6)) = .4 + .3 = .7.
// Threshold with acc = .3: .7 and .3 both pass. Typical: both are above .09, so all passes and q
// itself comes out.
TEST(Verdicts, OfTwoSymbolsByHand) {
  const Position position{{0.7, 0.3}, {0.7, 0.3}, {0.4, 0.6}, {0.4, 0.6}, 0};
  EXPECT_NEAR(outcome_of(Rule::rejection, position).acceptance, 0.7, 1e-15);
  EXPECT_NEAR(outcome_of(Rule::exact_match, position).acceptance, 0.46, 1e-15);
  EXPECT_NEAR(outcome_of(Rule::one_hot, position).acceptance, 0.46, 1e-15);
  EXPECT_NEAR(outcome_of(Rule::coupled_match, position).acceptance, 0.7, 1e-15);
  EXPECT_NEAR(outcome_of(Rule::threshold, position).acceptance, 1.0, 1e-15);
  EXPECT_NEAR(outcome_of(Rule::typical, position).acceptance, 1.0, 1e-15);
  EXPECT_NEAR(outcome_of(Rule::typical, position).emitted[0], 0.4, 1e-15);
  EXPECT_NEAR(outcome_of(Rule::synthetic, position).acceptance, kSyntheticConditional[0], 1e-15);
}

}  // namespace
}  // namespace specroute::real_pair
