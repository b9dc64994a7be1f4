#include "sim/experiment/summary.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

/// A gate "g" whose metric "m" came to these values, seed by seed.
std::vector<GateSummary> summaries_of(const std::vector<std::optional<double>>& values) {
  Campaign campaign;
  campaign.gates.push_back({"g", "{}", {}, {}, {}});
  for (const auto& value : values) {
    campaign.seeds.push_back(campaign.seeds.size() + 1);
    campaign.gates[0].per_seed.push_back({{"m", value}});
  }
  return summarise(campaign);
}

Expectation expecting(std::optional<double> min, std::optional<double> max, bool every_seed) {
  return {.gate = "g",
          .metric = "m",
          .every_seed = every_seed,
          .min = min,
          .max = max,
          .is_null = false};
}

Verdict verdict_on(const Expectation& expectation,
                   const std::vector<std::optional<double>>& values) {
  return judge_expectations({expectation}, summaries_of(values)).front().verdict;
}

// Mean of 1, 2, 3 is 2, deviation 1; t(0.975, 2) = 4.3026..., so the half width is 4.3026 / sqrt 3.
TEST(Summarise, TakesTheMeanAndItsIntervalOverSeeds) {
  const auto summary = summaries_of({1.0, 2.0, 3.0});
  const MetricSummary* metric = summary[0].find("m");
  ASSERT_NE(metric, nullptr);
  EXPECT_EQ(metric->interval.mean, 2.0);
  EXPECT_NEAR(*metric->interval.half_width, 4.302652729749464 / 1.7320508075688772, 1e-12);
}

TEST(Summarise, LeavesOutSeedsToWhichAMetricDoesNotApply) {
  const auto summary = summaries_of({1.0, std::nullopt, 3.0});
  EXPECT_EQ(summary[0].find("m")->interval.count, 2U);
  EXPECT_EQ(summary[0].find("m")->interval.mean, 2.0);
  EXPECT_EQ(summary[0].find("m")->per_seed[1], std::nullopt);
}

TEST(Summarise, HasNoIntervalBelowTwoValues) {
  EXPECT_EQ(summaries_of({1.0})[0].find("m")->interval.half_width, std::nullopt);
  EXPECT_EQ(summaries_of({std::nullopt})[0].find("m")->interval.mean, std::nullopt);
}

// A pairing that degraded nothing in a run is left out of it, and counts 0 there.
TEST(Summarise, CountsAPairingThatARunLeavesOutAsZero) {
  Campaign campaign;
  campaign.seeds = {1, 2};
  campaign.gates.push_back({"g", "{}", {{}, {{"degraded.by_pairing.t+d", 4.0}}}, {}, {}});
  const auto summary = summarise(campaign);
  EXPECT_EQ(summary[0].find("degraded.by_pairing.t+d")->interval.mean, 2.0);
}

TEST(Expectations, BoundTheMean) {
  EXPECT_EQ(verdict_on(expecting(2.0, 2.0, false), {1.0, 3.0}), Verdict::pass);
  EXPECT_EQ(verdict_on(expecting(2.5, {}, false), {1.0, 3.0}), Verdict::fail);
  EXPECT_EQ(verdict_on(expecting({}, 1.5, false), {1.0, 3.0}), Verdict::fail);
}

TEST(Expectations, BoundEverySeed) {
  EXPECT_EQ(verdict_on(expecting(1.0, 3.0, true), {1.0, 3.0}), Verdict::pass);
  EXPECT_EQ(verdict_on(expecting({}, 2.0, true), {1.0, 3.0}), Verdict::fail);
}

TEST(Expectations, AreNotMetByWhatDoesNotApply) {
  EXPECT_EQ(verdict_on(expecting({}, 9.0, false), {std::nullopt, std::nullopt}), Verdict::fail);
  EXPECT_EQ(verdict_on(expecting({}, 9.0, true), {1.0, std::nullopt}), Verdict::fail);
}

TEST(Expectations, CanAskThatAMetricDoesNotApply) {
  Expectation null = expecting({}, {}, false);
  null.is_null = true;
  EXPECT_EQ(verdict_on(null, {std::nullopt, std::nullopt}), Verdict::pass);
  EXPECT_EQ(verdict_on(null, {std::nullopt, 0.0}), Verdict::fail);
}

TEST(Expectations, OfAGateThatDidNotRunAreNeitherMetNorFailed) {
  Expectation other = expecting(0.0, {}, false);
  other.gate = "h";
  EXPECT_EQ(verdict_on(other, {1.0}), Verdict::not_run);
}

TEST(Expectations, SayWhatWasFound) {
  const auto summaries = summaries_of({1.0, 4.0});
  const auto outcomes =
      judge_expectations({expecting(0.0, {}, false), expecting(0.0, {}, true)}, summaries);
  EXPECT_EQ(outcomes[0].found, (std::vector<std::optional<double>>{2.5}));
  EXPECT_EQ(outcomes[1].found, (std::vector<std::optional<double>>{1.0, 4.0}));
}

TEST(Expectations, TakeThePathOfARunForItsPublishedName) {
  Campaign campaign;
  campaign.seeds = {1};
  campaign.gates.push_back({"g", "{}", {{{"acceptance_before", 0.4}}}, {}, {}});
  Expectation by_path = expecting(0.3, 0.5, false);
  by_path.metric = "acceptance.before";
  EXPECT_EQ(judge_expectations({by_path}, summarise(campaign))[0].verdict, Verdict::pass);
}

}  // namespace
}  // namespace specroute::sim
