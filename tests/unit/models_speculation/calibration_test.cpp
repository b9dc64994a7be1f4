#include "models/speculation/calibration.hpp"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/speculation/acceptance.hpp"
#include "models/speculation/rules.hpp"

namespace specroute::models {
namespace {

using testing::HasSubstr;
using Kind = FigureKind;

SamplingParameters at(double temperature) {
  return {.temperature = temperature};
}

Figure match(double rate, double temperature = 0.7) {
  return {Kind::exact_match_acceptance, rate, 2, at(temperature)};
}
Figure rejection(double rate, double temperature = 0.7) {
  return {Kind::rejection_acceptance, rate, 2, at(temperature)};
}
Figure agreement(double rate) {
  return {Kind::argmax_agreement, rate, 2, {}};
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
  EXPECT_NEAR(rate_of(found, VerificationRule::exact_match, healthy(at(0.7))), match_figure.rate,
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

TEST(Calibration, RefusesOneFigureTwice) {
  EXPECT_THAT(refusal({match(0.41), match(0.5, 1.0)}),
              HasSubstr("expected two independent figures"));
}

TEST(Calibration, RefusesAnAcceptanceAtTemperatureZero) {
  const auto text = refusal({match(0.41, 0.0), agreement(0.94)});
  EXPECT_THAT(text, HasSubstr("first: expected an acceptance measured while sampling"));
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
              HasSubstr("expected rejection_acceptance with alpha in ("));
}

TEST(Calibration, ReportsEveryBadFigureAtOnce) {
  const auto result = calibrate({match(1.5), {Kind::argmax_agreement, 0.0, 99, {}}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.diagnostics().size(), 3U);
}

}  // namespace
}  // namespace specroute::models
