#include "models/speculation/rules.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "models/random/distributions.hpp"
#include "models/random/stream.hpp"
#include "tests/unit/models_speculation/sides.hpp"

namespace specroute::models {
namespace {

using Rule = VerificationRule;
constexpr std::array kRules = {Rule::rejection,        Rule::exact_match,   Rule::one_hot,
                               Rule::forwarded_logits, Rule::coupled_match, Rule::typical,
                               Rule::threshold};

struct Decision {
  double acceptance;
  std::vector<double> emitted;
};

Decision decide(Rule rule, const PositionDistributions& position) {
  Decision decision{0.0, std::vector<double>(position.wanted.size())};
  decision.acceptance = verify_position(rule, position, decision.emitted);
  return decision;
}

const std::vector<double> kWanted = {0.7, 0.3};
const std::vector<double> kDrafted = {0.4, 0.6};
const std::vector<double> kFirst = {1.0, 0.0};
const std::vector<double> kSecond = {0.0, 1.0};

// min(.7, .4) + min(.3, .6) = .7. A rejected token is the second (.6 x .5 = .3); the residual
// (.3, 0) makes it the first: emitted (.4 + .3, .3) = p.
TEST(VerifyPosition, RejectionAcceptsTheOverlapAndEmitsTheTarget) {
  const auto got = decide(Rule::rejection, {kWanted, kWanted, kDrafted, kDrafted});
  EXPECT_NEAR(got.acceptance, 0.7, 1e-15);
  EXPECT_NEAR(got.emitted[0], 0.7, 1e-15);
  EXPECT_NEAR(got.emitted[1], 0.3, 1e-15);
}

// The draft always says the first, the verifier thinks (.4, .6): min(1, .7 / .4) = 1.
TEST(VerifyPosition, RejectionIsFooledByADraftItBelievesFlatter) {
  const auto got = decide(Rule::rejection, {kWanted, kWanted, kFirst, kDrafted});
  EXPECT_NEAR(got.acceptance, 1.0, 1e-15);
  EXPECT_NEAR(got.emitted[0], 1.0, 1e-15);
}

// The draft always says the second: accepted with .3 / .6 = 1/2, else the first. Emitted (.5, .5).
TEST(VerifyPosition, RejectionIsBiasedTowardsTheStaleDraft) {
  const auto got = decide(Rule::rejection, {kWanted, kWanted, kSecond, kDrafted});
  EXPECT_NEAR(got.acceptance, 0.5, 1e-15);
  EXPECT_NEAR(got.emitted[0], 0.5, 1e-15);
}

// Told the truth about a one-hot draft the rule accepts p(x) = .3 and emits p.
TEST(VerifyPosition, RejectionToldTheTruthStaysExact) {
  const auto got = decide(Rule::rejection, {kWanted, kWanted, kSecond, kSecond});
  EXPECT_NEAR(got.acceptance, 0.3, 1e-15);
  EXPECT_NEAR(got.emitted[0], 0.7, 1e-15);
}

// q^(x) = 0 < p(x) accepts; p(x) = 0 never is emitted, even where q^ = p leaves no residual.
TEST(VerifyPosition, RejectionHandlesTokensOutsideTheBelief) {
  const auto unexpected = decide(Rule::rejection, {kWanted, kWanted, kSecond, kFirst});
  EXPECT_NEAR(unexpected.acceptance, 1.0, 1e-15);
  const auto forbidden = decide(Rule::rejection, {kFirst, kFirst, kSecond, kFirst});
  EXPECT_EQ(forbidden.acceptance, 0.0);
  EXPECT_NEAR(forbidden.emitted[0], 1.0, 1e-15);
}

// .7 x .4 + .3 x .6 = .46.
TEST(VerifyPosition, ExactMatchAndOneHotAcceptTheProduct) {
  for (const Rule rule : {Rule::exact_match, Rule::one_hot}) {
    const auto got = decide(rule, {kWanted, kWanted, kDrafted, kDrafted});
    EXPECT_NEAR(got.acceptance, 0.46, 1e-15);
    EXPECT_EQ(got.emitted, kWanted);
  }
}

// p_d = (.9, .1): .9 x .4 + .1 x .6 = .42, and p_d comes out.
TEST(VerifyPosition, ForwardedLogitsEmitUnderTheDraftsParameters) {
  const std::vector<double> forwarded = {0.9, 0.1};
  const auto got = decide(Rule::forwarded_logits, {kWanted, forwarded, kDrafted, kDrafted});
  EXPECT_NEAR(got.acceptance, 0.42, 1e-15);
  EXPECT_EQ(got.emitted, forwarded);
}

std::vector<double> random_distribution(Stream& stream, std::size_t tokens) {
  std::vector<double> weights;
  for (std::size_t i = 0; i < tokens; ++i) weights.push_back(exponential_unit(stream.uniform()));
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= total;
  return weights;
}

// The mechanism of each lossless rule, step by step: draw x ~ q, flip the rule's coin, draw the
// replacement. Summed over everything that can happen it must emit p.
std::vector<double> emitted_by_mechanism(Rule rule, const std::vector<double>& p,
                                         const std::vector<double>& q) {
  const std::size_t tokens = p.size();
  std::vector<double> emitted(tokens, 0.0);
  for (std::size_t x = 0; x < tokens; ++x) {
    const double accept = rule == Rule::one_hot ? p[x] : std::min(1.0, p[x] / q[x]);
    std::vector<double> residual(tokens);
    for (std::size_t y = 0; y < tokens; ++y)
      residual[y] = rule == Rule::one_hot ? (y == x ? 0.0 : p[y]) : std::max(0.0, p[y] - q[y]);
    const double mass = std::accumulate(residual.begin(), residual.end(), 0.0);
    emitted[x] += q[x] * accept;
    for (std::size_t y = 0; y < tokens; ++y)
      emitted[y] += q[x] * (1.0 - accept) * residual[y] / mass;
  }
  return emitted;
}

TEST(VerifyPosition, EmitsExactlyTheTargetWhateverTheDraft) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    auto stream = Seed{seed}.stream("rules");
    const auto p = random_distribution(stream, 9);
    const auto q = random_distribution(stream, 9);
    for (const Rule rule : {Rule::rejection, Rule::one_hot, Rule::exact_match}) {
      const auto got = decide(rule, {p, p, q, q});
      const auto mechanism = rule == Rule::exact_match ? p : emitted_by_mechanism(rule, p, q);
      for (std::size_t i = 0; i < p.size(); ++i) {
        ASSERT_NEAR(got.emitted[i], p[i], 1e-12) << "seed " << seed;
        ASSERT_NEAR(mechanism[i], p[i], 1e-12) << "seed " << seed;
      }
    }
  }
}

TEST(VerifyPosition, EmitsADistributionUnderAnyMismatch) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    auto stream = Seed{seed}.stream("rules mismatch");
    const auto p = random_distribution(stream, 7);
    const auto forwarded = random_distribution(stream, 7);
    const auto q = random_distribution(stream, 7);
    const auto believed = random_distribution(stream, 7);
    for (const Rule rule : kRules) {
      const auto got = decide(rule, {p, forwarded, q, believed});
      const double total = std::accumulate(got.emitted.begin(), got.emitted.end(), 0.0);
      ASSERT_NEAR(total, 1.0, 1e-12) << to_string(rule) << " seed " << seed;
      ASSERT_GE(got.acceptance, 0.0);
      ASSERT_LE(got.acceptance, 1.0 + 1e-12);
    }
  }
}

class EasyPair : public testing::Test {
 protected:
  PairModel model{{.sharpness = 4.4, .noise = 0.4}};
  SamplingParameters request = at(0.7);
};

TEST_F(EasyPair, ForwardedLogitsAreAnExactMatchWhenParametersAgree) {
  const auto forwarded = evaluate(model, Rule::forwarded_logits, healthy(request));
  const auto match = evaluate(model, Rule::exact_match, healthy(request));
  EXPECT_EQ(forwarded.acceptance, match.acceptance);
  EXPECT_EQ(forwarded.emitted_entropy_nats, match.emitted_entropy_nats);
  EXPECT_EQ(forwarded.total_variation, 0.0);
}

TEST_F(EasyPair, EveryRuleAcceptsTheArgmaxAgreementWhenBothAreGreedy) {
  for (const Rule rule : kRules)
    EXPECT_NEAR(evaluate(model, rule, healthy(at(0.0))).acceptance, argmax_agreement(model), 1e-12)
        << to_string(rule);
}

// One stale override, four signs: told the truth a rejection falls; deceived it hardly moves; an
// exact match rises; forwarded logits jump to the argmax agreement.
TEST_F(EasyPair, SignOfAStaleGreedyDraftDependsOnTheRule) {
  const auto stale = stale_draft(request, at(0.0));
  const double rejection = evaluate(model, Rule::rejection, healthy(request)).acceptance;
  const double told = evaluate(model, Rule::rejection, {request, at(0.0), at(0.0)}).acceptance;
  const auto deceived = evaluate(model, Rule::rejection, stale);
  const double match = evaluate(model, Rule::exact_match, healthy(request)).acceptance;
  const auto stale_match = evaluate(model, Rule::exact_match, stale);
  const auto forwarded = evaluate(model, Rule::forwarded_logits, stale);
  EXPECT_LT(told, rejection - 0.1);
  EXPECT_NEAR(deceived.acceptance, rejection, 0.04);
  EXPECT_GT(stale_match.acceptance, match + 0.05);
  EXPECT_NEAR(forwarded.acceptance, argmax_agreement(model), 1e-12);
  // And what it does to the text: biased, exact, greedy.
  EXPECT_GT(deceived.total_variation, 0.15);
  EXPECT_LT(deceived.emitted_entropy_nats, 0.6 * deceived.bonus_entropy_nats);
  EXPECT_EQ(stale_match.total_variation, 0.0);
  EXPECT_EQ(forwarded.emitted_entropy_nats, 0.0);
  EXPECT_GT(forwarded.bonus_entropy_nats, 0.5);
}

// max p >= sum p^2: a greedy draft is the best that an exact match can have.
TEST_F(EasyPair, ColderDraftsMatchMoreOften) {
  double previous = 0.0;
  for (const double temperature : {1.2, 0.9, 0.7, 0.4, 0.2, 0.05}) {
    const double acceptance =
        evaluate(model, Rule::exact_match, stale_draft(request, at(temperature))).acceptance;
    EXPECT_GT(acceptance, previous) << temperature;
    previous = acceptance;
  }
}

TEST_F(EasyPair, TemperatureZeroIsTheLimitOfSmallTemperatures) {
  for (const Rule rule : kRules) {
    const double limit = evaluate(model, rule, stale_draft(request, at(0.0))).acceptance;
    const double near = evaluate(model, rule, stale_draft(request, at(1e-5))).acceptance;
    EXPECT_NEAR(near, limit, 2e-3) << to_string(rule);
  }
}

TEST_F(EasyPair, OneHotIgnoresWhatItIsToldOfTheDraft) {
  const auto one = evaluate(model, Rule::one_hot, {request, at(0.3), at(0.3)});
  const auto other = evaluate(model, Rule::one_hot, {request, at(0.3), request});
  EXPECT_EQ(one.acceptance, other.acceptance);
}

// With no noise and kappa = 1 the draft is the target: everything overlaps.
TEST(Evaluate, PerfectDraftIsAlwaysAcceptedByRejection) {
  const PairModel model{{.sharpness = 3.0, .noise = 0.0}};
  EXPECT_NEAR(evaluate(model, Rule::rejection, healthy(at(0.7))).acceptance, 1.0, 1e-12);
  EXPECT_EQ(argmax_agreement(model), 1.0);
}

// A flatter draft (kappa < 1) matches seldom while it samples and well once greedy: a benign spike.
TEST(Evaluate, FlatDraftSpikesBenignlyUnderExactMatch) {
  const PairModel model{{.sharpness = 4.5, .noise = 0.09, .fidelity = 0.55}};
  const auto before = evaluate(model, Rule::exact_match, healthy(at(0.7)));
  const auto after = evaluate(model, Rule::exact_match, stale_draft(at(0.7), at(0.0)));
  EXPECT_GT(after.acceptance - before.acceptance, 0.25);
  EXPECT_EQ(after.total_variation, 0.0);
}

TEST(Evaluate, ChangesLittleWithMorePositions) {
  const auto fine = std::make_shared<const PositionTable>(PositionTableSize{4096, 512});
  const PairParameters pair{.sharpness = 4.4, .noise = 0.4};
  for (const Rule rule : kRules) {
    const double coarse = evaluate(PairModel{pair}, rule, healthy(at(0.7))).acceptance;
    const double converged = evaluate(PairModel{pair, fine}, rule, healthy(at(0.7))).acceptance;
    EXPECT_NEAR(coarse, converged, 3e-3) << to_string(rule);
  }
}

}  // namespace
}  // namespace specroute::models
