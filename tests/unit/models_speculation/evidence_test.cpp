// Pairs that differ by information, and how text moves them.
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "models/speculation/acceptance.hpp"
#include "models/speculation/even_points.hpp"
#include "models/speculation/evidence_calibration.hpp"
#include "models/speculation/text_drift.hpp"
#include "tests/unit/models_speculation/sides.hpp"

namespace specroute::models {
namespace {

PairParameters informed(double draft, double target) {
  return {
      .sharpness = 2.0, .draft_evidence = draft, .target_evidence = target, .evidence_spread = 1.2};
}

double acceptance(const PairModel& model, VerificationRule rule, const Situation& situation) {
  return evaluate(model, rule, situation).acceptance;
}

TEST(EvenPoints, StandOnTheRootsOfTheirPolynomials) {
  EXPECT_NEAR(std::pow(kGoldenOfEight, 9.0), kGoldenOfEight + 1.0, 1e-14);
  EXPECT_NEAR(std::pow(kGoldenOfFive, 6.0), kGoldenOfFive + 1.0, 1e-14);
}

TEST(EvenPoints, DealEveryStratumOnce) {
  Stream stream = Seed{1}.stream("deal");
  const Permutation deal{stream, 64};
  std::uint64_t seen = 0;
  for (std::uint32_t i = 0; i < 64; ++i) seen |= std::uint64_t{1} << deal(i);
  EXPECT_EQ(seen, ~std::uint64_t{0});
}

TEST(EvidencePair, WithoutEvidenceIsThePairOfBefore) {
  const auto plain = std::make_shared<const PositionTable>(PositionTableSize{64, 32});
  const auto with_columns =
      std::make_shared<const PositionTable>(PositionTableSize{64, 32, /*evidence=*/true});
  const PairParameters pair{.sharpness = 4.0, .noise = 0.3, .evidence_spread = 1.2};
  const PairModel before{pair, plain};
  const PairModel after{pair, with_columns};
  std::vector<double> a(32);
  std::vector<double> b(32);
  for (std::size_t i = 0; i < 64; ++i) {
    before.draft_logits(i, a);
    after.draft_logits(i, b);
    ASSERT_EQ(a, b);
    before.target_logits(i, a);
    after.target_logits(i, b);
    ASSERT_EQ(a, b);
    for (std::size_t j = 0; j < 32; ++j) ASSERT_EQ(a[j], 4.0 * plain->target(i)[j]);
  }
}

// Nothing that the target alone knows: both say the same, and rejection accepts all.
TEST(EvidencePair, OfEqualKnowledgeAgrees) {
  const PairModel model{informed(5.0, 0.0)};
  EXPECT_NEAR(acceptance(model, VerificationRule::rejection, healthy(at(1.0))), 1.0, 1e-12);
  EXPECT_EQ(argmax_agreement(model), 1.0);
}

// Two tokens of equal weight in advance and evidence a for the true one: the log odds of the true
// one are a + sqrt(a) (h_t - h_o), normal with mean a and variance 2 a. At a = 4 the argmax is
// right with probability Phi(4 / sqrt(8)) = Phi(1.41421) = 0.92135.
TEST(EvidencePair, IsAGaussianChannelByHand) {
  const auto table =
      std::make_shared<const PositionTable>(PositionTableSize{8192, 2, /*evidence=*/true});
  PairParameters pair = informed(0.0, 4.0);
  pair.sharpness = 1e-9;
  pair.evidence_spread = 0.0;
  const PairModel model{pair, table};
  std::vector<double> z(2);
  double right = 0.0;
  for (std::size_t i = 0; i < table->positions(); ++i) {
    model.target_logits(i, z);
    const std::size_t next = table->evidence().next_token(i) < 0.5 ? 0 : 1;
    right += z[next] > z[1 - next] ? 1.0 : 0.0;
  }
  EXPECT_NEAR(right / 8192.0, 0.92135, 0.003);  // its standard error if independent
}

// E[softmax z | c] = softmax z': the draft is what the target would say with less evidence. So at
// temperature 1 E sum p q = E sum q q, whatever the target knows beyond.
TEST(EvidencePair, HasACalibratedDraft) {
  for (const double beyond : {0.5, 2.0, 8.0}) {
    const double match = acceptance(PairModel{informed(4.0, beyond)}, VerificationRule::exact_match,
                                    healthy(at(1.0)));
    const double alone =
        acceptance(PairModel{informed(4.0, 0.0)}, VerificationRule::exact_match, healthy(at(1.0)));
    EXPECT_NEAR(match, alone, 0.006) << beyond;  // of independent positions: 0.35 / sqrt(4096)
  }
}

TEST(EvidencePair, AgreesLessTheMoreTheTargetKnowsBeyond) {
  double agreement = 1.0;
  double rejection = 1.0;
  for (const double beyond : {0.25, 1.0, 4.0, 16.0}) {
    const PairModel model{informed(4.0, beyond)};
    EXPECT_LT(argmax_agreement(model), agreement) << beyond;
    EXPECT_LT(acceptance(model, VerificationRule::rejection, healthy(at(1.0))), rejection)
        << beyond;
    agreement = argmax_agreement(model);
    rejection = acceptance(model, VerificationRule::rejection, healthy(at(1.0)));
  }
}

// The table is a quadrature: four times the positions say the same. Independent positions would
// have a standard error of up to 0.5 / sqrt(4096) = 0.008.
TEST(EvidencePair, IsAveragedOverEnoughPositions) {
  const auto fine =
      std::make_shared<const PositionTable>(PositionTableSize{16384, 64, /*evidence=*/true});
  for (const auto& pair : {informed(2.0, 7.0), informed(4.0, 4.0), informed(7.0, 2.0)}) {
    const PairModel coarse{pair};
    const PairModel reference{pair, fine};
    const Situation stale = stale_draft(at(1.0), at(0.0));
    for (const auto rule : {VerificationRule::rejection, VerificationRule::exact_match})
      for (const auto& situation : {healthy(at(1.0)), healthy(at(0.3)), stale})
        EXPECT_NEAR(acceptance(coarse, rule, situation), acceptance(reference, rule, situation),
                    0.012)
            << to_string(rule) << pair.draft_evidence;
  }
}

Figure figure(FigureKind kind, double rate, double temperature = 1.0) {
  return {.kind = kind, .value = rate, .draft_tokens = 1, .parameters = at(temperature)};
}

// Coarse, as what is solved here is solved the same way on any table.
const std::shared_ptr<const PositionTable>& coarse_table() {
  static const auto table =
      std::make_shared<const PositionTable>(PositionTableSize{512, 64, /*evidence=*/true});
  return table;
}

TEST(EvidenceCalibration, FindsThePairThatWasMeasured) {
  const PairParameters made = informed(4.0, 3.0);
  for (const double temperature : {1.0, 0.5}) {
    PairParameters moving = made;
    moving.drift = 1.1;
    const PairModel model{moving, coarse_table()};
    const Situation situation = healthy(at(temperature));
    const auto found = calibrate_evidence(
        {.exact_match =
             figure(FigureKind::exact_match_acceptance,
                    acceptance(model, VerificationRule::exact_match, situation), temperature),
         .other = figure(FigureKind::rejection_acceptance,
                         acceptance(model, VerificationRule::rejection, situation), temperature),
         .structure = {.sharpness = 2.0, .evidence_spread = 1.2, .drift = 1.1}},
        coarse_table());
    ASSERT_TRUE(found.ok()) << to_string(found.diagnostics().front());
    EXPECT_NEAR(found.value().draft_evidence, 4.0, 0.01) << temperature;
    EXPECT_NEAR(found.value().target_evidence, 3.0, 0.01) << temperature;
  }
}

TEST(EvidenceCalibration, TakesAnAgreement) {
  const PairModel model{informed(4.0, 3.0), coarse_table()};
  const auto found = calibrate_evidence(
      {.exact_match = figure(FigureKind::exact_match_acceptance,
                             acceptance(model, VerificationRule::exact_match, healthy(at(1.0)))),
       .other = figure(FigureKind::argmax_agreement, argmax_agreement(model)),
       .structure = {.sharpness = 2.0, .evidence_spread = 1.2, .drift = 0.0}},
      coarse_table());
  ASSERT_TRUE(found.ok());
  EXPECT_NEAR(argmax_agreement(PairModel{found.value(), coarse_table()}), argmax_agreement(model),
              1.5 / 512.0);
}

// A draft that is flatter than tokens are without any context knows nothing, about less.
TEST(EvidenceCalibration, OfADraftWithoutEvidenceLowersTheSharpness) {
  const auto found =
      calibrate_evidence({.exact_match = figure(FigureKind::exact_match_acceptance, 0.07),
                          .other = figure(FigureKind::rejection_acceptance, 0.19)},
                         coarse_table());
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found.value().draft_evidence, 0.0);
  EXPECT_LT(found.value().sharpness, 2.0);
}

TEST(EvidenceCalibration, RefusesWhatNoPairHas) {
  // Sum min(p, q) >= sum p q at every position: rejection cannot accept less than exact match.
  const auto impossible =
      calibrate_evidence({.exact_match = figure(FigureKind::exact_match_acceptance, 0.6),
                          .other = figure(FigureKind::rejection_acceptance, 0.5)},
                         coarse_table());
  ASSERT_FALSE(impossible.ok());
  EXPECT_EQ(impossible.diagnostics().front().place, "other");
  const auto swapped =
      calibrate_evidence({.exact_match = figure(FigureKind::rejection_acceptance, 0.6),
                          .other = figure(FigureKind::exact_match_acceptance, 1.5, 0.0)});
  ASSERT_FALSE(swapped.ok());
  EXPECT_EQ(swapped.diagnostics().size(), 4U);
}

TEST(TextDrift, IsNoneWhereNaturalTextIsEmitted) {
  const PairModel model{informed(4.0, 3.0)};
  EXPECT_EQ(likelihood_gain_nats(model, {.rule = VerificationRule::rejection}, healthy(at(1.0))),
            0.0);
}

// At temperature 0 the argmax is emitted: the gain is the mean of log p_1(argmax) over that of
// sum p_1 log p_1, which is minus the entropy of what a lossless rule emits at temperature 1.
TEST(TextDrift, OfGreedyTextIsTheEntropyLessTheSurpriseOfTheArgmax) {
  const PairModel model{informed(4.0, 3.0)};
  const std::size_t vocabulary = model.table().vocabulary();
  std::vector<double> p(vocabulary);
  SamplingScratch scratch;
  double expected = 0.0;
  for (std::size_t i = 0; i < model.table().positions(); ++i) {
    model.target_logits(i, p);
    expected += sample_distribution(p, at(1.0), scratch);
    double largest = 0.0;
    for (const double one : p) largest = std::max(largest, one);
    expected += std::log(largest);
  }
  expected /= static_cast<double>(model.table().positions());
  EXPECT_NEAR(
      likelihood_gain_nats(model, {.rule = VerificationRule::exact_match}, healthy(at(0.0))),
      expected, 1e-9);
}

TEST(TextDrift, RaisesAgreementInColdTextAndIsSpentOnce) {
  PairParameters pair = informed(4.0, 3.0);
  pair.drift = 1.1;
  const PairModel model{pair};
  const Verifier verifier{.rule = VerificationRule::exact_match};
  const PairModel moved = on_generated_text(model, verifier, healthy(at(0.3)));
  const double gain = likelihood_gain_nats(model, verifier, healthy(at(0.3)));
  EXPECT_GT(gain, 0.1);
  EXPECT_DOUBLE_EQ(moved.parameters().target_evidence, 3.0 * std::exp(-1.1 * gain));
  EXPECT_EQ(moved.parameters().drift, 0.0);
  const double cold = evaluate(model, verifier, healthy(at(0.3))).acceptance;
  EXPECT_EQ(cold, evaluate(moved, verifier, healthy(at(0.3))).acceptance);
  EXPECT_NEAR(cold, healthy_acceptance(model, at(0.3)).exact_match, 1e-12);
}

}  // namespace
}  // namespace specroute::models
