// What one stale draft does under each rule. The signs are those of a table of our own, computed
// once on Zipf-like logits of 400 tokens; it is not published, and only its signs are held to:
// cases A to K in the order of that table, target at temperature .7.
#include <cstdio>

#include <gtest/gtest.h>

#include "models/speculation/rules.hpp"
#include "tests/unit/models_speculation/sides.hpp"

namespace specroute::models {
namespace {

using Rule = VerificationRule;

class StaleDraft : public testing::TestWithParam<PairParameters> {
 protected:
  [[nodiscard]] RuleOutcome outcome(const Verifier& verifier, const Situation& situation) const {
    return evaluate(model, verifier, situation);
  }

  PairModel model{GetParam()};
  SamplingParameters request = at(0.7);
  Situation sane = healthy(request);
  Situation stale = stale_draft(request, at(0.0));
  Situation told{request, at(0.0), at(0.0)};
  RuleOutcome a = outcome({.rule = Rule::rejection}, sane);
};

TEST_P(StaleDraft, LowersARejectionThatIsTold) {
  const auto b = outcome({.rule = Rule::rejection}, told);
  EXPECT_LT(b.acceptance, a.acceptance - 0.1);
  EXPECT_EQ(b.total_variation, 0.0);
}

TEST_P(StaleDraft, LeavesARejectionFlatThatIsNotToldAndBiasesIt) {
  for (const double temperature : {0.0, 0.2}) {  // C and K
    const auto c = outcome({.rule = Rule::rejection}, stale_draft(request, at(temperature)));
    EXPECT_NEAR(c.acceptance, a.acceptance, 0.04);
    EXPECT_GT(c.total_variation, 0.1);
    EXPECT_LT(c.emitted_entropy_nats, 0.7 * a.emitted_entropy_nats);
  }
}

TEST_P(StaleDraft, RaisesAnExactMatchAndHarmsNobody) {
  const auto d = outcome({.rule = Rule::exact_match}, sane);
  const auto e = outcome({.rule = Rule::exact_match}, stale);
  EXPECT_GT(e.acceptance, d.acceptance + 0.05);
  EXPECT_EQ(e.total_variation, 0.0);
  const auto g = outcome({.rule = Rule::one_hot}, sane);
  EXPECT_EQ(g.acceptance, d.acceptance);
  const auto b = outcome({.rule = Rule::rejection}, told);
  EXPECT_NEAR(e.acceptance, b.acceptance, 1e-12);  // both accept p(argmax q)
}

TEST_P(StaleDraft, AgreesAsOftenAsTheArgmaxesWhereBothSidesAreGreedy) {
  const auto f = outcome({.rule = Rule::exact_match}, healthy(at(0.0)));
  EXPECT_NEAR(f.acceptance, argmax_agreement(model), 1e-12);
  EXPECT_EQ(f.emitted_entropy_nats, 0.0);
}

TEST_P(StaleDraft, RaisesTheLossyRulesAndBiasesThem) {
  const Verifier lossy[] = {{.rule = Rule::threshold, .threshold_acc = 0.3},       // H
                            {.rule = Rule::threshold, .threshold_single = 0.001},  // I
                            {.rule = Rule::typical}};                              // J
  for (const Verifier& verifier : lossy) {
    const auto before = outcome(verifier, sane);
    const auto after = outcome(verifier, stale);
    EXPECT_GE(after.acceptance, before.acceptance) << to_string(verifier.rule);
    EXPECT_GT(after.acceptance, a.acceptance) << to_string(verifier.rule);
    EXPECT_GT(after.total_variation, 0.15) << to_string(verifier.rule);
  }
}

// Coupling loses what noise it shares where one side has no use for it: the same stale draft that
// raises an exact match lowers a coupled one, to the same acceptance.
TEST_P(StaleDraft, LowersACoupledMatchToTheExactMatch) {
  const auto before = outcome({.rule = Rule::coupled_match}, sane);
  const auto after = outcome({.rule = Rule::coupled_match}, stale);
  const auto exact = outcome({.rule = Rule::exact_match}, stale);
  EXPECT_LT(after.acceptance, before.acceptance - 0.05);
  EXPECT_NEAR(after.acceptance, exact.acceptance, 1e-9);
  EXPECT_EQ(after.total_variation, 0.0);
}

TEST_P(StaleDraft, LeavesASyntheticAcceptanceAloneAndBiasesItMore) {
  const Verifier synthetic{.rule = Rule::synthetic, .synthetic_share = 0.7};
  const auto before = outcome(synthetic, sane);
  const auto after = outcome(synthetic, stale);
  EXPECT_EQ(before.acceptance, after.acceptance);
  EXPECT_GT(after.total_variation, before.total_variation);
}

INSTANTIATE_TEST_SUITE_P(Pairs, StaleDraft,
                         testing::Values(PairParameters{.sharpness = 4.4, .noise = 0.5},
                                         PairParameters{.sharpness = 4.4, .noise = 0.9},
                                         PairParameters{.sharpness = 5.5, .noise = 1.0}));

SamplingParameters filtered(int kind) {
  if (kind == 0) return {.temperature = 0.7, .top_k = 10};
  if (kind == 1) return {.temperature = 0.7, .top_p = 0.8};
  return {.temperature = 0.7, .min_p = 0.05};
}

// Filters on every side: each rule's acceptance stays between never and always, lossless rules stay
// lossless, and a draft that filters as the target does is accepted more often by `rejection` than
// one that does not.
TEST(Filters, WorkOnEverySideUnderEveryRule) {
  const PairModel model{{.sharpness = 4.4, .noise = 0.5}};
  for (int kind = 0; kind < 3; ++kind) {
    const SamplingParameters cut = filtered(kind);
    const Situation unfiltered_draft{cut, at(0.7), at(0.7)};
    for (int r = 0; r <= static_cast<int>(Rule::synthetic); ++r) {
      const Verifier verifier{.rule = static_cast<Rule>(r), .synthetic_share = 0.5};
      for (const Situation& situation :
           {healthy(cut), unfiltered_draft, stale_draft(at(0.7), cut)}) {
        const auto got = evaluate(model, verifier, situation);
        EXPECT_GT(got.acceptance, 0.05) << to_string(verifier.rule);
        EXPECT_LE(got.acceptance, 1.0) << to_string(verifier.rule);
        EXPECT_EQ(is_lossless(verifier, situation), got.total_variation == 0.0)
            << to_string(verifier.rule);
      }
    }
    const Verifier rejection{.rule = Rule::rejection};
    EXPECT_GT(evaluate(model, rejection, healthy(cut)).acceptance,
              evaluate(model, rejection, unfiltered_draft).acceptance);
  }
}

// Prints the table of docs/model.md, and holds it to be a table of probabilities.
TEST(StaleSigns, PrintTheirTable) {
  struct Case {
    const char* name;
    Verifier verifier;
    Situation situation;
  };
  const SamplingParameters request = at(0.7);
  const Situation sane = healthy(request);
  const Situation stale = stale_draft(request, at(0.0));
  const Case cases[] = {
      {"A", {.rule = Rule::rejection}, sane},
      {"B", {.rule = Rule::rejection}, {request, at(0.0), at(0.0)}},
      {"C", {.rule = Rule::rejection}, stale},
      {"D", {.rule = Rule::exact_match}, sane},
      {"E", {.rule = Rule::exact_match}, stale},
      {"F", {.rule = Rule::exact_match}, healthy(at(0.0))},
      {"G", {.rule = Rule::one_hot}, sane},
      {"H", {.rule = Rule::threshold, .threshold_acc = 0.3}, stale},
      {"I", {.rule = Rule::threshold, .threshold_single = 0.001}, stale},
      {"J", {.rule = Rule::typical}, stale},
      {"K", {.rule = Rule::rejection}, stale_draft(request, at(0.2))},
      {"coupled, healthy", {.rule = Rule::coupled_match}, sane},
      {"coupled, stale", {.rule = Rule::coupled_match}, stale},
  };
  for (const Case& one : cases) {
    std::printf("%-17s", one.name);
    for (const PairParameters& pair : {PairParameters{.sharpness = 4.4, .noise = 0.5},
                                       PairParameters{.sharpness = 4.4, .noise = 0.9},
                                       PairParameters{.sharpness = 5.5, .noise = 1.0}}) {
      const auto got = evaluate(PairModel{pair}, one.verifier, one.situation);
      std::printf("  %.3f (TV %.2f)", got.acceptance, got.total_variation);
      EXPECT_LE(got.acceptance, 1.0) << one.name;
      EXPECT_GE(got.acceptance, got.total_variation) << one.name;  // what is biased was accepted
    }
    std::printf("\n");
  }
}

// Noise keyed by two seeds is two noises.
TEST(CoupledMatch, IsAnExactMatchBetweenSidesOfDifferentSeeds) {
  const PairModel model{{.sharpness = 4.4, .noise = 0.5}};
  const SamplingParameters one{.temperature = 0.7, .seed = 1};
  const SamplingParameters other{.temperature = 0.7, .seed = 2};
  const Verifier coupled{.rule = Rule::coupled_match};
  const double shared = evaluate(model, coupled, healthy(one)).acceptance;
  const double apart = evaluate(model, coupled, stale_draft(one, other)).acceptance;
  EXPECT_GT(shared, apart + 0.1);
  EXPECT_EQ(apart, evaluate(model, Rule::exact_match, healthy(one)).acceptance);
}

TEST(HealthyAcceptance, IsWhatTheRulesFind) {
  const PairModel model{{.sharpness = 4.4, .noise = 0.5, .fidelity = 0.8}};
  for (const SamplingParameters& parameters :
       {at(0.7), at(1.3), filtered(0), filtered(1), filtered(2)}) {
    const auto both = healthy_acceptance(model, parameters);
    const auto sane = healthy(parameters);
    EXPECT_NEAR(both.rejection, evaluate(model, Rule::rejection, sane).acceptance, 1e-12);
    EXPECT_EQ(both.exact_match, evaluate(model, Rule::exact_match, sane).acceptance);
  }
}

}  // namespace
}  // namespace specroute::models
