#include "models/speculation/calibration.hpp"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/speculation/acceptance.hpp"
#include "models/speculation/rules.hpp"
#include "tests/unit/models_speculation/sides.hpp"

namespace specroute::models {
namespace {

using testing::HasSubstr;
using Kind = FigureKind;
using Rule = VerificationRule;

Figure match(double rate, double temperature = 0.7) {
  return {Kind::exact_match_acceptance, rate, 2, at(temperature)};
}
Figure rejection(double rate, double temperature = 0.7) {
  return {Kind::rejection_acceptance, rate, 2, at(temperature)};
}
Figure agreement(double rate) {
  return {Kind::argmax_agreement, rate, 2, {}};
}

Figure length(double tokens, Rule rule, double temperature = 0.7) {
  return {Kind::mean_acceptance_length, tokens, 2, at(temperature), rule};
}

double rate_of(const PairModel& model, VerificationRule rule, const Situation& situation) {
  return rate_from_alpha(evaluate(model, rule, situation).acceptance, 2);
}

std::string refusal(const CalibrationRequest& request) {
  const auto result = calibrate(request);
  if (result.ok()) return "accepted";
  std::string text;
  for (const auto& fault : result.diagnostics()) text += to_string(fault) + "\n";
  return text;
}

// One pair reads as .41 when sampled at .7 and as .94 when the draft's logits are greedy: the
// incident. The agreement is met to half of 1/512 in alpha, which is 1.5e-3 in the rate.
TEST(Calibration, FindsTheIncidentsPair) {
  const auto pair = calibrate({match(0.41), agreement(0.94)});
  ASSERT_TRUE(pair.ok());
  EXPECT_NEAR(pair.value().sharpness, 4.5, 0.15);
  EXPECT_NEAR(pair.value().noise, 0.12, 0.01);
  const PairModel model{pair.value()};
  const auto rule = VerificationRule::forwarded_logits;
  EXPECT_NEAR(rate_of(model, rule, healthy(at(0.7))), 0.41, 1e-8);
  EXPECT_NEAR(rate_of(model, rule, stale_draft(at(0.7), at(0.0))), 0.94, 1.5e-3);
}

TEST(Calibration, DoesNotCareForTheOrderOfFigures) {
  const auto one = calibrate({match(0.41), agreement(0.94)});
  const auto other = calibrate({agreement(0.94), match(0.41)});
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_EQ(one.value().sharpness, other.value().sharpness);
  EXPECT_EQ(one.value().noise, other.value().noise);
}

struct Truth {
  double sharpness;
  double noise;
  double fidelity;
};

class RoundTrip : public testing::TestWithParam<Truth> {
 protected:
  PairModel truth{{.sharpness = GetParam().sharpness,
                   .noise = GetParam().noise,
                   .fidelity = GetParam().fidelity}};
  Figure match_figure = match(rate_of(truth, VerificationRule::exact_match, healthy(at(0.7))));
  Figure agreement_figure = agreement(rate_from_alpha(argmax_agreement(truth), 2));
};

// The acceptance comes back to the solver's tolerance, the agreement exactly, as it is a whole
// number of positions; s then only to what one position's worth of ratio allows.
TEST_P(RoundTrip, MatchAndAgreementComeBack) {
  const auto pair = calibrate({match_figure, agreement_figure, GetParam().fidelity});
  ASSERT_TRUE(pair.ok());
  const PairModel found{pair.value()};
  EXPECT_NEAR(rate_of(found, VerificationRule::exact_match, healthy(at(0.7))), match_figure.value,
              1e-8);
  EXPECT_NEAR(argmax_agreement(found), argmax_agreement(truth), 1e-12);
  EXPECT_NEAR(pair.value().sharpness / GetParam().sharpness, 1.0, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Pairs, RoundTrip,
                         testing::Values(Truth{4.4, 0.12, 1.0}, Truth{3.0, 0.6, 1.0},
                                         Truth{6.0, 1.5, 1.0}, Truth{4.5, 0.1, 0.55}));

TEST(Calibration, SolvesTwoAcceptances) {
  const auto table = std::make_shared<const PositionTable>(PositionTableSize{64, 128});
  const PairModel truth{{.sharpness = 3.5, .noise = 0.5}, table};
  const auto pair =
      calibrate({rejection(rate_of(truth, VerificationRule::rejection, healthy(at(0.7)))),
                 match(rate_of(truth, VerificationRule::exact_match, healthy(at(1.0))), 1.0)},
                table);
  ASSERT_TRUE(pair.ok());
  EXPECT_NEAR(pair.value().sharpness, 3.5, 1e-4);
  EXPECT_NEAR(pair.value().noise, 0.5, 1e-4);
}

TEST(Calibration, SolvesARejectionWithAnAgreement) {
  const PairModel truth{{.sharpness = 3.0, .noise = 0.6}};
  const double rate = rate_of(truth, VerificationRule::rejection, healthy(at(0.7)));
  const auto pair =
      calibrate({rejection(rate), agreement(rate_from_alpha(argmax_agreement(truth), 2))});
  ASSERT_TRUE(pair.ok());
  EXPECT_NEAR(rate_of(PairModel{pair.value()}, VerificationRule::rejection, healthy(at(0.7))), rate,
              1e-8);
}

// What uniqueness rests on: at a fixed ratio sum p q rises with s.
TEST(Calibration, RestsOnAnAcceptanceThatRisesWithSharpness) {
  double previous = 1.0 / 512.0;
  for (double s = 0.5; s < 200.0; s *= 2.0) {
    const PairModel model{{.sharpness = s, .noise = 0.03 * s}};
    const double acceptance =
        evaluate(model, VerificationRule::exact_match, healthy(at(0.7))).acceptance;
    EXPECT_GT(acceptance, previous) << s;
    EXPECT_LT(acceptance, argmax_agreement(model)) << s;
    previous = acceptance;
  }
}

// A rate of .41 at two draft tokens is a mean acceptance length of 1 + 2 x .41 = 1.82.
TEST(Calibration, ReadsAMeanAcceptanceLengthAsTheAcceptanceOfItsRule) {
  const auto by_rate = calibrate({match(0.41), agreement(0.94)});
  const auto by_length = calibrate({length(1.82, Rule::exact_match), agreement(0.94)});
  ASSERT_TRUE(by_rate.ok() && by_length.ok());
  EXPECT_NEAR(by_length.value().sharpness, by_rate.value().sharpness, 1e-8);
}

// Leviathan's T5 small has .75 at temperature 0: that is its agreement.
TEST(Calibration, ReadsAnAcceptanceAtTemperatureZeroAsTheAgreement) {
  const auto named = calibrate({match(0.41), agreement(0.94)});
  const auto renamed = calibrate({match(0.41), rejection(0.94, 0.0)});
  ASSERT_TRUE(named.ok() && renamed.ok());
  EXPECT_EQ(named.value().sharpness, renamed.value().sharpness);
}

TEST(Calibration, RefusesFiguresOfWhichOneFollowsFromTheOther) {
  const auto expected = HasSubstr("expected two independent figures");
  EXPECT_THAT(refusal({match(0.41), match(0.38)}), expected);
  EXPECT_THAT(refusal({match(0.41), length(1.82, Rule::exact_match)}),
              HasSubstr("both say the exact_match_acceptance at one set of parameters"));
  EXPECT_THAT(refusal({match(0.41, 0.0), agreement(0.94)}),
              HasSubstr("at temperature 0, or top-k 1, an acceptance is the argmax agreement"));
  EXPECT_THAT(refusal({length(2.5, Rule::rejection, 0.0), rejection(0.8, 0.0)}), expected);
  EXPECT_THAT(refusal({match(0.41), agreement(0.94), 1.0, 0.0, match(0.4)}),
              HasSubstr("expected three independent figures"));
}

TEST(Calibration, RefusesALengthOutsideItsDraft) {
  EXPECT_THAT(refusal({length(3.2, Rule::rejection), agreement(0.94)}),
              HasSubstr("expected a mean acceptance length in (1, draft tokens + 1)"));
  EXPECT_THAT(refusal({length(2.2, Rule::typical), agreement(0.94)}),
              HasSubstr("expected a length under rejection or exact_match"));
}

TEST(Calibration, RefusesAMatchAboveTheAgreementAndNamesTheRange) {
  const auto text = refusal({match(0.95), agreement(0.94)});
  EXPECT_THAT(text, HasSubstr("exact_match_acceptance 0.95 at 2 draft tokens and temperature 0.7"));
  EXPECT_THAT(text, HasSubstr("argmax_agreement 0.94 at 2 draft tokens"));
  EXPECT_THAT(text, HasSubstr("alpha in (0.001953, 0.959"));
}

// At kappa = 1 a rejection accepts at least as often as the argmaxes agree.
TEST(Calibration, RefusesARejectionBelowTheAgreement) {
  EXPECT_THAT(refusal({rejection(0.5), agreement(0.8)}),
              HasSubstr("expected rejection_acceptance with alpha in about (0.8"));
}

// Every pair of figures that a pair of models has leads back to it, or to one that has them too.
struct Figures {
  const char* name;
  Figure (*first)(const PairModel&);
  Figure (*second)(const PairModel&);
};

Figure rejection_of(const PairModel& model, const SamplingParameters& parameters) {
  return {Kind::rejection_acceptance,
          rate_from_alpha(healthy_acceptance(model, parameters).rejection, 2), 2, parameters};
}
Figure match_of(const PairModel& model, const SamplingParameters& parameters) {
  return {Kind::exact_match_acceptance,
          rate_from_alpha(healthy_acceptance(model, parameters).exact_match, 2), 2, parameters};
}

double value_of(const Figure& figure, const PairModel& model) {
  return figure.kind == Kind::rejection_acceptance ? rejection_of(model, figure.parameters).value
                                                   : match_of(model, figure.parameters).value;
}

class AnyTwoFigures : public testing::TestWithParam<Figures> {};

TEST_P(AnyTwoFigures, AreMetByThePairThatIsFound) {
  const auto table = std::make_shared<const PositionTable>(PositionTableSize{128, 256});
  const PairModel truth{{.sharpness = 3.5, .noise = 0.5}, table};
  const Figure first = GetParam().first(truth);
  const Figure second = GetParam().second(truth);
  const auto pair = calibrate({first, second}, table);
  ASSERT_TRUE(pair.ok()) << to_string(pair.diagnostics().front());
  const PairModel found{pair.value(), table};
  const bool cut = first.parameters.top_k > 0;
  EXPECT_NEAR(value_of(first, found), first.value, cut ? 3e-3 : 1e-7);
  EXPECT_NEAR(value_of(second, found), second.value, cut ? 3e-3 : 1e-7);
  EXPECT_NEAR(found.parameters().sharpness, 3.5, cut ? 0.3 : 1e-3);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, AnyTwoFigures,
    testing::Values(
        Figures{"rejection and match", [](const PairModel& m) { return rejection_of(m, at(0.7)); },
                [](const PairModel& m) { return match_of(m, at(0.7)); }},
        Figures{"two temperatures", [](const PairModel& m) { return match_of(m, at(0.7)); },
                [](const PairModel& m) { return match_of(m, at(1.2)); }},
        Figures{"two rejections", [](const PairModel& m) { return rejection_of(m, at(0.5)); },
                [](const PairModel& m) { return rejection_of(m, at(1.2)); }},
        Figures{"filters",
                [](const PairModel& m) { return match_of(m, {.temperature = 0.7, .top_k = 20}); },
                [](const PairModel& m) {
                  return rejection_of(m, {.temperature = 0.7, .top_p = 0.9});
                }}));

// T5's alpha falls from .75 at temperature 0 to .62 at 1: below the agreement, as no kappa = 1 has
// it. A flatter draft (kappa .4) has, twice over.
TEST(Calibration, NeedsAKappaForAnAcceptanceBelowTheAgreement) {
  const Figure greedy{Kind::rejection_acceptance, rate_from_alpha(0.75, 7), 7, at(0.0)};
  const Figure sampled{Kind::rejection_acceptance, rate_from_alpha(0.62, 7), 7, at(1.0)};
  EXPECT_THAT(refusal({greedy, sampled}),
              HasSubstr("expected rejection_acceptance with alpha in about (0.75"));
  const auto two = refusal({greedy, sampled, 0.4});
  EXPECT_THAT(two, HasSubstr("two meet them, near s = 1.6"));
  EXPECT_THAT(two, HasSubstr("and near s = 10.9"));
}

// A third figure gives kappa: T5 small, and its exact match if it were .5, say.
TEST(Calibration, SolvesKappaFromAThirdFigureOnTheBranchOfTheFlatterDraft) {
  const PairModel truth{{.sharpness = 4.0, .noise = 0.5, .fidelity = 0.6}};
  const Figure third = match_of(truth, at(0.7));
  const auto pair = calibrate({agreement(rate_from_alpha(argmax_agreement(truth), 2)),
                               rejection_of(truth, at(0.7)), 1.0, 0.0, third});
  ASSERT_TRUE(pair.ok());
  EXPECT_NEAR(pair.value().fidelity, 0.6, 0.01);
  EXPECT_NEAR(pair.value().sharpness, 4.0, 0.02);
  EXPECT_NEAR(value_of(third, PairModel{pair.value()}), third.value, 1e-7);
}

TEST(Calibration, SolvesThreeAcceptances) {
  const auto table = std::make_shared<const PositionTable>(PositionTableSize{128, 256});
  const PairModel truth{{.sharpness = 4.0, .noise = 0.5, .fidelity = 0.6}, table};
  const auto pair = calibrate({rejection_of(truth, at(0.7)), match_of(truth, at(0.7)), 1.0, 0.0,
                               rejection_of(truth, at(1.2))},
                              table);
  ASSERT_TRUE(pair.ok());
  EXPECT_NEAR(pair.value().fidelity, 0.6, 1e-3);
  EXPECT_NEAR(pair.value().sharpness, 4.0, 1e-2);
}

TEST(Calibration, ReportsEveryBadFigureAtOnce) {
  const auto result = calibrate({match(1.5), {Kind::argmax_agreement, 0.0, 99, {}}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.diagnostics().size(), 3U);
}

}  // namespace
}  // namespace specroute::models
