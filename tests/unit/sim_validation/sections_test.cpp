#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "models/speculation/acceptance.hpp"
#include "sim/validation/acceptance_length.hpp"
#include "sim/validation/blog_sign_change.hpp"
#include "sim/validation/eagle_batch.hpp"
#include "sim/validation/leviathan.hpp"
#include "sim/validation/per_position.hpp"
#include "sim/validation/round_cost.hpp"
#include "sim/validation/stale_override_signs.hpp"
#include "sim/validation/validate_models.hpp"

namespace specroute::sim::validation {
namespace {

std::string missed(const Section& section) {
  std::string names;
  for (const Bound& bound : section.bounds)
    if (!bound.met()) names += bound.name + '\n';
  return names;
}

DataDirectory acceptance_file(const std::string& text) {
  return DataDirectory({{"acceptance/a.csv", {}, text}});
}

// alpha = .75, gamma = 7, c = .02: (1 - .75^8) / (.25 (1 + .14)) = 3.1576, published as 3.2.
TEST(Leviathan, FollowsTheoremThreePointEight) {
  const auto section = leviathan_section();
  ASSERT_EQ(section.comparisons.size(), 12U);
  EXPECT_NEAR(section.comparisons[0].ours, (1.0 - std::pow(0.75, 8)) / (0.25 * (1.0 + 7 * 0.02)),
              1e-12);
  EXPECT_EQ(missed(section), "");
}

TEST(PerPosition, GivesBackEveryPublishedLength) {
  const auto section = per_position_section();
  EXPECT_EQ(missed(section), "");
  const auto counted =
      overall_error(section.comparisons, "length, from what was counted", Standing::predicted);
  EXPECT_EQ(counted->count, 9U);
  EXPECT_LE(counted->worst_difference, 0.005);  // two decimals were published
}

// Conditionals .8 throughout: m = -log .8, g = 1, and AL(8) = (1 - .8^9) / .2 = 4.3289.
TEST(AcceptanceLength, ExtrapolatesAConstantAcceptanceExactly) {
  std::string text = "num_speculative_tokens,model,mean_acceptance_length\n";
  for (int k = 1; k <= 8; ++k)
    text += std::to_string(k) + ",m," + std::to_string((1.0 - std::pow(0.8, k + 1)) / 0.2) + '\n';
  const auto section = acceptance_length_section(acceptance_file(text));
  ASSERT_TRUE(section.ok());
  const auto& rows = section.value().comparisons;
  ASSERT_EQ(rows.size(), 8U);
  EXPECT_NEAR(rows[7].ours, (1.0 - std::pow(0.8, 9)) / 0.2, 1e-4);
  EXPECT_EQ(rows[3].standing, Standing::fitted);
  EXPECT_EQ(rows[4].standing, Standing::predicted);
  EXPECT_EQ(rows[7].place, "acceptance/a.csv:9");
  EXPECT_EQ(missed(section.value()), "");
}

TEST(AcceptanceLength, MissesItsBoundWhereADraftEnds) {
  std::string text = "model,num_speculative_tokens,mean_acceptance_length\n";
  for (int k = 1; k <= 8; ++k)
    text += "m," + std::to_string(k) + ',' + std::to_string(std::min(k, 4) * 0.9 + 1.0) + '\n';
  const auto section = acceptance_length_section(acceptance_file(text));
  ASSERT_TRUE(section.ok());
  EXPECT_EQ(std::ranges::count_if(section.value().bounds, [](const Bound& b) { return !b.met(); }),
            2);
}

TEST(AcceptanceLength, TellsSettingsApartAndNamesWhatItSkips) {
  const auto section = acceptance_length_section(
      acceptance_file("model,thinking,num_speculative_tokens,mean_acceptance_length\n"
                      "m,on,1,1.8\nm,on,2,2.4\nm,on,3,2.9\nm,on,5,3.5\nm,off,3,2.5\n"));
  ASSERT_TRUE(section.ok());
  EXPECT_EQ(section.value().comparisons.size(), 4U);
  EXPECT_EQ(section.value().comparisons[0].group.model, "m (thinking on)");
  EXPECT_EQ(section.value().notes[0],
            "skipped 1 row of m (thinking off): a prediction takes three draft lengths up to 4 and "
            "one beyond");
}

TEST(AcceptanceLength, RefusesLengthsThatCannotBe) {
  const auto section = acceptance_length_section(
      acceptance_file("model,num_speculative_tokens,mean_acceptance_length\nm,2,3.5\n"));
  ASSERT_FALSE(section.ok());
  EXPECT_EQ(to_string(section.diagnostics().front()),
            "acceptance/a.csv:2: mean_acceptance_length: expected at most 3 (draft tokens + 1), "
            "found 3.500");
}

// A verification that costs one step and a draft that costs nothing: speed-up = tokens per round.
TEST(RoundCost, IsOneStepWhereWidthIsFree) {
  models::StepModel flat = models::step_model({.device = *models::find_device("H100-SXM-80"),
                                               .shape = *models::find_model_shape("llama-3.1-8b")});
  const ChainRound round{.target = flat, .draft = {}, .draft_tokens = 3, .context = 400.0};
  EXPECT_GE(relative_round_time(round, 1.0), 1.0);
  EXPECT_LT(relative_round_time(round, 1.0), 1.05);
  EXPECT_GT(relative_round_time(round, 512.0), relative_round_time(round, 1.0));
  EXPECT_DOUBLE_EQ(speed_up(round, 8.0, 2.5), 2.5 / relative_round_time(round, 8.0));
}

TEST(EagleBatch, MeetsBatchTwoByConstructionAndFallsFromThere) {
  const auto section = eagle_batch_section();
  ASSERT_EQ(section.comparisons.size(), 50U);
  double last = 0.0;
  for (const Comparison& row : section.comparisons) {
    if (row.standing == Standing::fitted) {
      EXPECT_NEAR(row.ours, row.theirs, 1e-12) << row.condition;
    } else {
      EXPECT_LE(row.ours, last + 1e-9) << row.condition;
    }
    last = row.ours;
  }
}

TEST(BlogSignChange, GainsAtLowLoad) {
  const auto section = blog_sign_change_section();
  for (const auto& row : section.tables[0].rows) EXPECT_GT(*row[3].number, 1.0);
}

TEST(StaleOverrideSigns, HoldForEveryRule) {
  const auto section = stale_override_signs_section();
  EXPECT_EQ(section.evidence, Evidence::own_check);
  EXPECT_EQ(missed(section), "");
}

TEST(ValidateModels, SaysWhatItCouldNotRun) {
  const auto result = validate_models({});
  ASSERT_TRUE(result.ok());
  EXPECT_GE(result.value().sections.size(), 5U);
  EXPECT_EQ(std::ranges::count(result.value().notes,
                               "not run: mean acceptance length of long drafts (no "
                               "acceptance/*.csv)"),
            1);
}

TEST(ValidateModels, ReportsTheFaultsOfAllFiles) {
  const auto result = validate_models(
      DataDirectory({{"acceptance/a.csv", {}, "x\n1\n"}, {"acceptance/b.csv", {}, ""}}));
  ASSERT_FALSE(result.ok());
  std::string text;
  for (const auto& fault : result.diagnostics()) text += to_string(fault) + '\n';
  EXPECT_NE(text.find("acceptance/a.csv: header: expected a column \"model\""), std::string::npos);
  EXPECT_NE(text.find("acceptance/b.csv:1: expected a header"), std::string::npos);
}

TEST(ValidateModels, GivesTheSameFiguresTwice) {
  const auto first = validate_models({});
  const auto second = validate_models({});
  for (std::size_t s = 0; s < first.value().sections.size(); ++s) {
    const auto& one = first.value().sections[s].comparisons;
    const auto& other = second.value().sections[s].comparisons;
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t c = 0; c < one.size(); ++c) EXPECT_EQ(one[c].ours, other[c].ours);
  }
}

}  // namespace
}  // namespace specroute::sim::validation
