#include "sim/serving/pair_tables.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/random/threshold.hpp"
#include "models/speculation/acceptance.hpp"
#include "sim/serving/model_inputs.hpp"
#include "tests/unit/sim_serving/pair_fixture.hpp"

namespace specroute::sim {
namespace {

using testing::HasSubstr;

struct Built {
  Scenario scenario;
  RowLayout layout;
  PairTables tables;
};

Built build(Scenario scenario) {
  Built built{std::move(scenario), {}, {}};
  auto book = PairTableBook::create(built.scenario);
  EXPECT_TRUE(book.ok()) << to_string(book.diagnostics().front());
  PairTableBook made = book.value();
  built.layout = made.layout();
  const OverridePlan plan(built.scenario.overrides);
  built.tables = *made.tables(kPairTarget, kPairDraft, plan, Seconds{0.5});
  return built;
}

/// The unconditional acceptance of a row's positions, to 2^-31.
double reach(const StepRow& row, std::size_t k) {
  return row.accepted[k] * 0x1p-31;
}

std::string refusal(const Scenario& scenario) {
  const auto book = PairTableBook::create(scenario);
  return book.ok() ? "accepted" : to_string(book.diagnostics().front());
}

double alpha(Rule rule, const models::Situation& situation) {
  const Scenario s = pair_scenario(rule);
  const auto table = std::make_shared<const models::PositionTable>(
      models::PositionTableSize{.vocabulary = s.vocabulary_slice});
  const models::PairModel model{{.sharpness = 3.5, .noise = 0.3}, table};
  return models::evaluate(model, verifier(s.pools[0].speculation), situation).acceptance;
}

TEST(PairTables, HoldTheAcceptanceOfEveryRuleHealthyAndStale) {
  const auto request = sampling_parameters(pair_scenario(Rule::rejection).profiles[0].sampling);
  auto greedy = request;
  greedy.temperature = 0.0;
  for (const Rule rule : {Rule::rejection, Rule::exact_match, Rule::coupled_match, Rule::one_hot,
                          Rule::typical, Rule::threshold, Rule::forwarded_logits}) {
    Scenario s = pair_scenario(rule);
    const double sane = alpha(rule, models::healthy(request));
    EXPECT_NEAR(reach(build(s).tables.tables.rows[0], 0), sane, 1e-9);
    EXPECT_NEAR(reach(build(s).tables.tables.rows[0], 1), sane * sane, 1e-9);
    s.overrides = {draft_override(0.0)};
    EXPECT_NEAR(reach(build(s).tables.tables.rows[0], 0),
                alpha(rule, models::stale_draft(request, greedy)), 1e-9);
  }
}

// Two figures of the real pair of order 4 (docs/validation-real-pair.md), at the parameters at
// which they were measured: the table holds the one of its rule.
TEST(PairTables, AreOfAPairThatDiffersByInformation) {
  Scenario s = pair_scenario(Rule::rejection);
  s.profiles[0].sampling.temperature = 1.0;
  AcceptanceFigure rejection{};
  rejection.kind = AcceptanceFigure::Kind::rejection_rate;
  rejection.value = 0.6804;
  rejection.sampling.temperature = rejection.sampling.top_p = 1.0;
  rejection.draft_tokens = 1;
  AcceptanceFigure match = rejection;
  match.kind = AcceptanceFigure::Kind::exact_match_rate;
  match.value = 0.4567;
  s.acceptance[0].sharpness = s.acceptance[0].noise = {};
  s.acceptance[0].calibrate = {rejection, match};
  s.acceptance[0].information = InformationPair{2.0, 1.2, 1.1};
  EXPECT_NEAR(reach(build(s).tables.tables.rows[0], 0), 0.6804, 1e-5);
}

TEST(PairTables, TellAVerifierWhatTheDraftDrewFrom) {
  Scenario s = pair_scenario(Rule::rejection);
  s.overrides = {draft_override(0.0)};
  const auto deceived = build(s).tables;
  s.pools[0].speculation.rule_parameters.draft_probabilities_forwarded = true;
  const auto told = build(s).tables;
  EXPECT_LT(reach(told.tables.rows[0], 0), reach(deceived.tables.rows[0], 0) - 0.1);
  EXPECT_TRUE(deceived.harmful);
  EXPECT_FALSE(told.harmful);
}

TEST(PairTables, TakeSyntheticRatesAsTheyAre) {
  Scenario s = pair_scenario(Rule::synthetic);
  s.acceptance[0].correlation = 0.2;
  for (const bool stale : {false, true}) {
    if (stale) s.overrides = {draft_override(0.0)};
    const Built built = build(s);
    for (std::size_t row = 0; row < built.tables.tables.rows.size(); row += 2) {
      EXPECT_NEAR(reach(built.tables.tables.rows[row], 0), 0.6, 1e-9);
      EXPECT_NEAR(reach(built.tables.tables.rows[row], 1), 0.4, 1e-9);
    }
    EXPECT_EQ(built.tables.harmful, stale);
  }
}

// Lossy by configuration is what was asked for; a stale draft is not.
TEST(PairTables, CallALossyRuleHarmfulOnlyWhereTheSidesDiffer) {
  for (const Rule rule : {Rule::typical, Rule::threshold}) {
    Scenario s = pair_scenario(rule);
    s.pools[0].speculation.rule_parameters.threshold_acc = 0.3;
    EXPECT_FALSE(build(s).tables.harmful);
    s.overrides = {draft_override(0.0)};
    EXPECT_TRUE(build(s).tables.harmful);
  }
}

// An override of the seed alone parts the noise: Gumbel coupling becomes an exact match, harmless.
TEST(PairTables, PartTheNoiseOfACoupledMatchWhereSeedsDiffer) {
  Scenario s = pair_scenario(Rule::coupled_match);
  const double shared = reach(build(s).tables.tables.rows[0], 0);
  s.overrides = {draft_override({})};
  s.overrides[0].seed = 8;
  const Built apart = build(s);
  const double match = reach(build(pair_scenario(Rule::exact_match)).tables.tables.rows[0], 0);
  EXPECT_GT(shared, match + 0.05);
  EXPECT_EQ(reach(apart.tables.tables.rows[0], 0), match);
  EXPECT_FALSE(apart.tables.harmful);
}

// A published unconditional vector is what a healthy pair shows, position by position; a stale
// draft moves all of it by one power.
TEST(PairTables, ShapeDraftsAsMeasuredByPosition) {
  Scenario s = pair_scenario(Rule::exact_match);
  const std::vector<double> published = {0.77, 0.45, 0.24};
  s.acceptance[0].per_position =
      PerPosition{models::conditional_shape(published), Rule::exact_match, s.profiles[0].sampling};
  const Built sane = build(s);
  EXPECT_NEAR(reach(sane.tables.tables.rows[0], 0), 0.77, 1e-9);
  EXPECT_NEAR(reach(sane.tables.tables.rows[0], 1), 0.45, 1e-9);
  s.overrides = {draft_override(0.0)};
  const Built stale = build(s);
  EXPECT_GT(reach(stale.tables.tables.rows[0], 0), 0.8);
  const double power = std::log(reach(stale.tables.tables.rows[0], 0)) / std::log(0.77);
  EXPECT_NEAR(reach(stale.tables.tables.rows[0], 1), std::pow(0.45, power), 1e-8);
}

TEST(PairTables, GiveEveryKindOfRequestARowWithTheMeanThatWasThere) {
  Scenario s = pair_scenario(Rule::exact_match);
  const Built even = build(s);
  s.acceptance[0].correlation = 0.2;
  const Built spread = build(s);
  ASSERT_EQ(spread.layout.quantiles, 16U);
  ASSERT_EQ(spread.tables.tables.rows.size(), 32U);
  const auto length = [](const StepRow& row) { return 1.0 + reach(row, 0) + reach(row, 1); };
  double steps = 0.0;
  for (std::uint32_t quantile = 0; quantile < 16; ++quantile)
    steps += 1.0 / length(spread.tables.tables.rows[spread.layout.row(0, quantile, 0)]);
  EXPECT_NEAR(16.0 / steps, length(even.tables.tables.rows[0]), 1e-8);
  EXPECT_GT(length(spread.tables.tables.rows[30]), length(spread.tables.tables.rows[0]) + 0.3);
  for (std::uint32_t row = 1; row < 32; row += 2)  // whoever loops is as easy to draft as any
    EXPECT_EQ(spread.tables.tables.rows[row].accepted, even.tables.tables.rows[1].accepted);
}

TEST(PairTables, LowerAcceptanceByTheContextCurve) {
  Scenario s = pair_scenario(Rule::exact_match);
  s.acceptance[0].context_decay =
      models::ContextDecay{models::ContextDecay::Of::alpha, {{100.0, 1.0}, {1000.0, 0.4}}};
  const Built built = build(s);
  const double start = reach(build(pair_scenario(Rule::exact_match)).tables.tables.rows[0], 0);
  ASSERT_EQ(built.layout.ranges(), 18U);
  EXPECT_NEAR(reach(built.tables.tables.rows[built.layout.row(0, 0, 0)], 0), start, 1e-9);
  EXPECT_NEAR(reach(built.tables.tables.rows[built.layout.row(0, 0, 17)], 0), 0.4 * start, 1e-9);
  const std::uint32_t at_550 = built.layout.range_of(550);  // half way: a factor of .7
  EXPECT_NEAR(reach(built.tables.tables.rows[built.layout.row(0, 0, at_550)], 0), 0.7 * start,
              0.04 * start);
}

TEST(PairTables, AreEqualToTheLastBitWithoutAnyOfThese) {
  const Built built = build(pair_scenario(Rule::exact_match));
  EXPECT_EQ(built.layout.rows_per_kind(), 2U);
  EXPECT_EQ(built.tables.tables.rows.size(), 2U);
}

TEST(PairTables, RefuseAMeasurementWithoutALevelAndACorrelationThatNobodyHas) {
  Scenario s = pair_scenario(Rule::exact_match);
  s.acceptance[0].noise = 0.0;
  Sampling greedy = s.profiles[0].sampling;
  greedy.temperature = 0.0;
  s.acceptance[0].per_position = PerPosition{{0.8, 0.7}, Rule::exact_match, greedy};
  EXPECT_THAT(refusal(s), HasSubstr("/acceptance/pairs/0/per_position: expected a measurement at "
                                    "which the pair's model accepts sometimes"));
  Scenario certain = pair_scenario(Rule::rejection);
  certain.acceptance[0].noise = 0.001;
  certain.acceptance[0].correlation = 0.9;
  EXPECT_THAT(refusal(certain),
              HasSubstr("/acceptance/pairs/0/correlation: expected a correlation of at most"));
  Scenario impossible = pair_scenario(Rule::exact_match);
  impossible.acceptance[0].sharpness.reset();
  impossible.acceptance[0].noise.reset();
  using Kind = AcceptanceFigure::Kind;
  impossible.acceptance[0].calibrate = {
      {Kind::exact_match_rate, 0.95, Rule::rejection, s.profiles[0].sampling, 2},
      {Kind::argmax_agreement_rate, 0.94, Rule::rejection, greedy, 2}};
  EXPECT_THAT(refusal(impossible), HasSubstr("/acceptance/pairs/0/calibrate: expected"));
}

/// Two classes of one pool, the second greedy and three times as frequent.
Scenario two_classes(Rule rule) {
  Scenario s = pair_scenario(rule);
  s.classes[0].arrivals = poisson_arrivals(1.0);
  s.profiles.push_back({"greedy", {0.0, 1.0, 0, 0.0, 7, "orders"}});
  s.classes.push_back(s.classes.front());
  s.classes[1].profile = ProfileId{1};
  s.classes[1].arrivals = poisson_arrivals(3.0);
  return s;
}

// The last to join is greedy for three quarters of all steps, so the batch is, whoever asks.
TEST(PairTables, MixTheRowsOfABatchThatRunsAsItsLastRequest) {
  Scenario s = two_classes(Rule::exact_match);
  const Built own = build(s);
  Override shared = draft_override({});
  shared.backend = kPairTarget;
  shared.last_request = true;
  Override draft_too = shared;
  draft_too.backend = kPairDraft;
  s.overrides = {shared, draft_too};
  const Built mixed = build(s);
  const TrafficRow greedy = own.layout.row(1, 0, 0);
  const double expected =
      0.25 * reach(own.tables.tables.rows[0], 0) + 0.75 * reach(own.tables.tables.rows[greedy], 0);
  EXPECT_NEAR(reach(mixed.tables.tables.rows[0], 0), expected, 1e-8);
  EXPECT_NEAR(reach(mixed.tables.tables.rows[greedy], 0), expected, 1e-8);
  EXPECT_GT(mixed.tables.tables.rows[0].loop[0], own.tables.tables.rows[0].loop[0]);
  EXPECT_FALSE(own.tables.harmful);
  EXPECT_TRUE(mixed.tables.harmful);
}

// 1 - (1 - .01)^n for n tokens past the block of 16; nothing before it.
TEST(PairTables, CorruptPastTheFirstBlockWhereBlocksDiffer) {
  Scenario s = pair_scenario(Rule::exact_match);
  EXPECT_EQ(build(s).layout.ranges(), 1U) << "no pair can disagree: no edge";
  s.backends[kPairDraft.index()].kv_block_tokens = 128;
  const Built built = build(s);
  ASSERT_EQ(built.layout.edges, std::vector<std::uint32_t>{16});
  const StepRow& within = built.tables.tables.rows[built.layout.row(0, 0, 0)];
  const StepRow& past = built.tables.tables.rows[built.layout.row(0, 0, 1)];
  EXPECT_EQ(within.corruption[2], 0U);
  EXPECT_NEAR(past.corruption[0] * 0x1p-31, 0.01, 1e-9);
  EXPECT_NEAR(past.corruption[2] * 0x1p-31, 1.0 - 0.99 * 0.99 * 0.99, 1e-9);
  EXPECT_EQ(past.accepted, within.accepted);
  EXPECT_TRUE(built.tables.harmful);
}

TEST(PairTables, FollowTheEngineThatIsAndNotTheOneConfigured) {
  Scenario s = pair_scenario(Rule::exact_match);
  AcceptancePair unrelated = s.acceptance.front();
  unrelated.draft_weights = "initial";
  unrelated.kappa = 0.01;
  s.acceptance.push_back(unrelated);
  EngineChange stale{.backend = kPairDraft, .cause = "resume", .from = Seconds{1.0}};
  stale.draft_weights = "initial";
  EngineChange flag{.backend = kPairTarget, .cause = "flag", .from = Seconds{2.0}};
  flag.rule = Rule::synthetic;
  flag.rule_parameters.synthetic_acceptance_rates = {0.6, 0.4};
  const auto book = PairTableBook::create(s);
  ASSERT_TRUE(book.ok());
  PairTableBook made = book.value();
  const ConditionPlan plan(OverridePlan({}), EnginePlan({stale, flag}));
  const auto at = [&](double now) {
    return *made.tables(kPairTarget, kPairDraft, plan, Seconds{now});
  };
  EXPECT_GT(reach(at(0.5).tables.rows[0], 0), 0.3);
  EXPECT_LT(reach(at(1.5).tables.rows[0], 0), 0.1);
  EXPECT_FALSE(at(1.5).harmful) << "slow, and exact";
  EXPECT_NEAR(reach(at(2.5).tables.rows[0], 1), 0.4, 1e-9);
  EXPECT_TRUE(at(2.5).harmful);
}

}  // namespace
}  // namespace specroute::sim
