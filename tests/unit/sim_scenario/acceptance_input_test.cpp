// Rules, figures and shapes of acceptance as scenario files say them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/sim_scenario/minimal.hpp"

namespace specroute::sim {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pointwise;

const std::string kSpeculation = R"("rule": "exact_match", "forward": "tokens", "draft_tokens": 2)";
const std::string kParameters = R"("parameters": {"sharpness": 4.5, "noise": 0.12})";

Speculation speculating(const std::string& members) {
  return accepted(edited(kSpeculation, members)).pools.at(0).speculation;
}

AcceptancePair pair_with(const std::string& members) {
  return accepted(edited(kParameters, members)).acceptance.at(0);
}

TEST(RuleInput, TakesAllEightSpellings) {
  const std::pair<const char*, Rule> rules[] = {
      {"exact_match", Rule::exact_match}, {"coupled_match", Rule::coupled_match},
      {"one_hot", Rule::one_hot},         {"typical", Rule::typical},
      {"threshold", Rule::threshold},     {"rejection", Rule::rejection},
      {"synthetic", Rule::synthetic},     {"forwarded_logits", Rule::forwarded_logits}};
  for (const auto& [spelling, rule] : rules) {
    const std::string extra =
        rule == Rule::synthetic ? R"(, "synthetic_acceptance_rates": [0.6, 0.4])" : "";
    EXPECT_EQ(speculating(std::string{R"("rule": ")"} + spelling +
                          R"(", "forward": "logits", "draft_tokens": 2)" + extra)
                  .rule,
              rule);
  }
}

TEST(RuleInput, FillsTheEnginesDefaultsIn) {
  const std::string tail = R"(, "forward": "logits", "draft_tokens": 2)";
  const auto typical = speculating(R"("rule": "typical")" + tail).rule_parameters;
  EXPECT_EQ(typical.posterior_threshold, 0.09);
  EXPECT_EQ(typical.posterior_alpha, 0.3);
  const auto threshold = speculating(R"("rule": "threshold")" + tail).rule_parameters;
  EXPECT_EQ(threshold.threshold_single, 1.0);
  EXPECT_EQ(threshold.threshold_acc, 1.0);
  const auto rejection = speculating(R"("rule": "rejection")" + tail).rule_parameters;
  EXPECT_EQ(rejection.lenience, 1.0);
  EXPECT_FALSE(rejection.draft_probabilities_forwarded);
  const auto told = speculating(
      R"("rule": "rejection", "lenience": 0.5, "draft_probabilities": "forwarded")" + tail);
  EXPECT_EQ(told.rule_parameters.lenience, 0.5);
  EXPECT_TRUE(told.rule_parameters.draft_probabilities_forwarded);
}

// vLLM: 1.7 tokens of at most 3 are one position at .7, then none.
TEST(RuleInput, MakesRatesOfASyntheticLength) {
  EXPECT_THAT(speculating(R"("rule": "synthetic", "synthetic_acceptance_length": 1.7, )"
                          R"("forward": "tokens", "draft_tokens": 2)")
                  .rule_parameters.synthetic_acceptance_rates,
              Pointwise(DoubleNear(1e-15), {0.7, 0.0}));
}

TEST(RuleInput, WritesNoParameterThatTheRuleDoesNotRead) {
  const auto resolved = accepted(minimal_text()).resolved_json;
  for (const char* key : {"lenience", "typical", "accept_threshold", "synthetic", "correlation",
                          "\"per_position\"", "context_decay", "draft_probabilities"})
    EXPECT_THAT(resolved, Not(HasSubstr(key)));
  EXPECT_THAT(resolved, HasSubstr(R"("kappa": 1,)"));
}

TEST(FigureInput, TakesALengthWithItsRuleAndFilters) {
  const auto pair = pair_with(
      R"("calibrate": [{"figure": "argmax_agreement_rate", "value": 0.9, "draft_tokens": 2}, )"
      R"({"figure": "mean_acceptance_length", "rule": "exact_match", "value": 1.8, )"
      R"("temperature": 0.7, "top_k": 40, "top_p": 0.9, "min_p": 0.01, "draft_tokens": 3}])");
  ASSERT_EQ(pair.calibrate.size(), 2U);
  EXPECT_EQ(pair.kappa, 1.0);
  const AcceptanceFigure& length = pair.calibrate[1];
  EXPECT_EQ(length.kind, AcceptanceFigure::Kind::mean_acceptance_length);
  EXPECT_EQ(length.rule, Rule::exact_match);
  EXPECT_EQ(length.value, 1.8);
  EXPECT_EQ(length.draft_tokens, 3U);
  EXPECT_EQ(length.sampling.temperature, 0.7);
  EXPECT_EQ(length.sampling.top_k, 40U);
  EXPECT_EQ(length.sampling.top_p, 0.9);
  EXPECT_EQ(length.sampling.min_p, 0.01);
}

// T5's pair of published figures: temperature 0 is allowed, and is no second agreement.
TEST(FigureInput, TakesOneRateAtTwoTemperaturesAndAThirdFigureForKappa) {
  const auto pair = pair_with(
      R"("calibrate": [{"figure": "rejection_rate", "value": 0.75, "temperature": 0, )"
      R"("draft_tokens": 7}, {"figure": "rejection_rate", "value": 0.62, "temperature": 1, )"
      R"("draft_tokens": 7}, {"figure": "exact_match_rate", "value": 0.3, "temperature": 1, )"
      R"("draft_tokens": 7}])");
  EXPECT_EQ(pair.calibrate.size(), 3U);
}

TEST(FigureInput, TakesAPairThatDiffersByInformation) {
  const auto pair = pair_with(
      R"("information": {"drift": 0}, "calibrate": [{"figure": "rejection_rate", "value": 0.68, )"
      R"("temperature": 1, "draft_tokens": 1}, {"figure": "exact_match_rate", "value": 0.46, )"
      R"("temperature": 1, "draft_tokens": 1}])");
  ASSERT_TRUE(pair.information);
  EXPECT_EQ(pair.information->sharpness, 2.0);
  EXPECT_EQ(pair.information->evidence_spread, 1.2);
  EXPECT_EQ(pair.information->drift, 0.0);
}

TEST(FigureInput, RefusesInformationBesideParametersOfError) {
  EXPECT_THAT(faults_of(edited(kParameters, kParameters + R"(, "information": {})")),
              HasSubstr("two figures in calibrate"));
}

TEST(ShapeInput, ConvertsUnconditionalRates) {
  const auto pair =
      pair_with(kParameters + R"(, "per_position": {"acceptance_rates": [0.8, 0.4, 0.0], )"
                              R"("rule": "rejection", "temperature": 0.7, "top_p": 0.95})");
  ASSERT_TRUE(pair.per_position);
  EXPECT_THAT(pair.per_position->conditional, Pointwise(DoubleNear(1e-15), {0.8, 0.5, 0.0}));
  EXPECT_EQ(pair.per_position->sampling.top_p, 0.95);
  const auto given =
      pair_with(kParameters + R"(, "per_position": {"conditional_rates": [0.8, 0.9], )"
                              R"("rule": "coupled_match", "temperature": 0})");
  EXPECT_THAT(given.per_position->conditional, ElementsAre(0.8, 0.9));
  EXPECT_EQ(given.per_position->rule, Rule::coupled_match);
}

TEST(ShapeInput, TakesACorrelationAndACurve) {
  const auto pair = pair_with(
      kParameters + R"(, "correlation": 0.1, "context_decay": {"of": "mean_acceptance_length", )"
                    R"("points": [{"context_tokens": 2000, "value": 2.295}, )"
                    R"({"context_tokens": 20000, "value": 1.084}]})");
  EXPECT_EQ(pair.correlation, 0.1);
  ASSERT_TRUE(pair.context_decay);
  EXPECT_EQ(pair.context_decay->of, models::ContextDecay::Of::mean_acceptance_length);
  EXPECT_EQ(pair.context_decay->points.back().context_tokens, 20000.0);
}

// Each scenario above resolves to itself.
TEST(ShapeInput, ResolvesToItself) {
  const auto text = edited(kParameters, kParameters + R"(, "correlation": 0.1, "per_position": )"
                                                      R"({"acceptance_rates": [0.8, 0.4], )"
                                                      R"("rule": "rejection", "temperature": 1})");
  const auto resolved = accepted(text).resolved_json;
  EXPECT_EQ(accepted(resolved).resolved_json, resolved);
}

}  // namespace
}  // namespace specroute::sim
