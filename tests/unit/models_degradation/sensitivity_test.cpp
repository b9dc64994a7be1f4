#include "models/degradation/sensitivity.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace specroute::models {
namespace {

/// The incident's pair, rounded: acceptance 0.41 healthy and 0.94 both greedy, at gamma = 2.
DegradationSetting incident() {
  return {.pair = PairModel({.sharpness = 4.43, .noise = 0.118})};
}

const SensitivityRow& row(const std::vector<SensitivityRow>& rows, const std::string& input,
                          const std::string& value) {
  return *std::ranges::find_if(
      rows, [&](const SensitivityRow& one) { return one.input == input && one.value == value; });
}

// What 20 seeds of the simulator gave for the incident under `none`, with completions of 64 tokens
// on average and the hazards below: 2.080 % loops and 0.704 % schema violations of 500,865
// completions, acceptance 0.9413 after the fail-over and 0.4101 before; on the healthy
// pairing 44.25 degraded of as many.
TEST(Outlook, IsWhatTheSimulatorMakesOfTheIncident) {
  DegradationSetting setting = incident();
  setting.lengths.mean = 64.0;
  setting.loops.greedy_hazard = 4.9e-4;
  setting.schema.unmasked_hazard = 1.55e-4;
  const DegradationOutlook found = outlook(setting);
  EXPECT_NEAR(found.stale.loop_share, 0.02080, 0.01 * 0.02080);
  EXPECT_NEAR(found.stale.schema_share, 0.00704, 0.02 * 0.00704);
  EXPECT_NEAR(found.stale.acceptance_rate, 0.9413, 0.001);
  EXPECT_NEAR(found.healthy.acceptance_rate, 0.4101, 0.001);
  EXPECT_NEAR(found.healthy.loop_share, 44.25 / 500'865.0, 0.1 * 44.25 / 500'865.0);
  EXPECT_EQ(found.healthy.schema_share, 0.0);
  // Under `params_hash` 14.45 more than on a healthy fleet, with a standard error of 0.85.
  EXPECT_NEAR(found.gated - found.unavoidable, 14.45, 2.0 * 0.85);
}

// gamma = 1 at acceptance a: 1 verified token a step, a bonus tokens. With every hazard on verified
// tokens alone (stale at T = 0, ratio beyond bounds), a completion of two tokens loops with the
// chance of its one token: h / (1 + a).
TEST(ServedText, WeighsVerifiedAndBonusTokens) {
  DegradationSetting setting = incident();
  setting.draft_tokens = 1;
  setting.loops.ratio = 1e9;
  setting.lengths = {.mean = 2.0, .coefficient_of_variation = 0.0, .limit = 2.0};
  const Situation stale = stale_draft(setting.requested, setting.stale);
  const double accepted = evaluate(setting.pair, setting.rule, stale).acceptance;
  EXPECT_NEAR(served_text(setting, stale).loop_share, 6.6e-4 / (1.0 + accepted), 1e-9);
}

// Entered at once (h = 1) with room for 9 tokens of which 3 were meant: without escape all 9 are
// loop. With escape at every token the loop takes 1, and the 2 that were left follow.
TEST(ServedText, LengthensWhatLoops) {
  DegradationSetting setting = incident();
  setting.loops.greedy_hazard = 1.0;
  setting.loops.ratio = 1.0;
  setting.lengths = {.mean = 4.0, .coefficient_of_variation = 0.0, .limit = 11.0};
  const Situation stale = stale_draft(setting.requested, setting.stale);
  EXPECT_NEAR(served_text(setting, stale).tokens_mean, 11.0, 1e-12);
  setting.loops.escape_hazard = 1.0;
  EXPECT_NEAR(served_text(setting, stale).tokens_mean, 1.0 + 1.0 + 1.0 + 2.0, 1e-12);
}

TEST(LoopSensitivity, MovesTheLevelWithTheHazardAndNotTheVerdict) {
  const auto rows = loop_sensitivity(incident());
  const DegradationOutlook& base = row(rows, "none", "as calibrated").outlook;
  const DegradationOutlook& twice = row(rows, "greedy loop hazard", "x 2").outlook;
  EXPECT_NEAR(twice.stale.loop_share / base.stale.loop_share, 2.0, 0.05);
  EXPECT_NEAR(twice.healthy.loop_share / base.healthy.loop_share, 2.0, 1e-3);
  for (const SensitivityRow& one : rows)
    EXPECT_GT(one.outlook.ratio(), 25.0) << one.input << ' ' << one.value;
}

// Stale at T = 0 and healthy at the reference temperature are the law's two ends: any law meets
// them. A draft stale at T = 0.2 lies between, and there laws differ by 3.6.
TEST(LoopSensitivity, HangsOnTheLawOnlyBetweenItsEnds) {
  const auto at = [](double temperature, const std::string& law) {
    DegradationSetting setting = incident();
    setting.stale.temperature = temperature;
    const auto rows = loop_sensitivity(setting);
    return (law.empty() ? rows.front() : row(rows, "entropy law", law)).outlook.stale.loop_share;
  };
  EXPECT_NEAR(at(0.0, "linear"), at(0.0, ""), 1e-12);
  EXPECT_NEAR(at(0.0, "threshold"), at(0.0, ""), 1e-12);
  EXPECT_NEAR(at(0.2, "linear") / at(0.2, ""), 2.8, 0.1);
  EXPECT_NEAR(at(0.2, "threshold") / at(0.2, ""), 3.6, 0.1);
}

}  // namespace
}  // namespace specroute::models
