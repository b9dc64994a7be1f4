// The table of verifier and fault (our own arithmetic on synthetic logits; sizes are toy, signs are
// not) in the running simulator: a draft stuck at temperature 0 against requests at 0.7.
#include <array>
#include <memory>

#include "models/speculation/rules.hpp"
#include "tests/sim/rules/conditions.hpp"

namespace specroute::sim {
namespace {

constexpr std::size_t kCases = 11;

Scenario rejection(bool told) {
  Scenario s = rule_world(Rule::rejection);
  s.pools[0].speculation.rule_parameters.draft_probabilities_forwarded = told;
  return s;
}

Scenario greedy_draft(const Scenario& s) {
  return with(s, temperature_patch(kWorldDraft, 0.0));
}

/// SGLang's rule: a coin against p(x) / acc, or p(x) at `single`.
Scenario threshold(double single, double acc) {
  Scenario s = rule_world(Rule::threshold);
  s.pools[0].speculation.rule_parameters.threshold_single = single;
  s.pools[0].speculation.rule_parameters.threshold_acc = acc;
  return s;
}

/// The pool is configured to reject by q; an upgrade drops q on the way.
Scenario without_probabilities() {
  Scenario s = rejection(false);
  EngineChange upgrade{.backend = kWorldTarget, .cause = "upgrade", .from = Seconds{0.0}};
  upgrade.rule = Rule::one_hot;
  s.engine_changes = {upgrade};
  return s;
}

/// Cases A to K by letter.
std::vector<Scenario> cases() {
  const Scenario exact = rule_world(Rule::exact_match);
  return {rejection(false),
          greedy_draft(rejection(true)),
          greedy_draft(rejection(false)),
          exact,
          greedy_draft(exact),
          with(greedy_draft(rejection(false)), temperature_patch(kWorldTarget, 0.0)),
          without_probabilities(),
          greedy_draft(threshold(1.0, 0.3)),
          greedy_draft(threshold(0.001, 1.0)),
          greedy_draft(rule_world(Rule::typical)),
          with(rejection(false), temperature_patch(kWorldDraft, 0.2))};
}

/// Accepted over the two drafted tokens where both sides take their argmax: (a + a^2) / 2 of the
/// pair's argmax agreement a, which the models know without a run.
double greedy_rate() {
  const Scenario s = rejection(false);
  const AcceptancePair& given = s.acceptance.front();
  const models::PairModel model{
      {.sharpness = given.sharpness.value(), .noise = given.noise.value()},
      std::make_shared<const models::PositionTable>(
          models::PositionTableSize{.vocabulary = s.vocabulary_slice})};
  const double agreement = models::argmax_agreement(model);
  return 0.5 * (agreement + agreement * agreement);
}

TEST(ForwardedCases, HaveTheirSignsInWholeRuns) {
  const auto results = run_all(cases());
  ASSERT_EQ(results.size(), kCases);
  const auto rate = [&](char letter) { return counted_rate(results[std::size_t(letter - 'A')]); };
  EXPECT_LT(rate('B'), rate('A') - 0.1);        // told that q is one-hot: falls
  EXPECT_NEAR(rate('C'), rate('A'), 0.05);      // not told: flat, and biased
  EXPECT_LT(rate('D'), rate('A') - 0.1);        // sum p q is below sum min(p, q)
  EXPECT_GT(rate('E'), rate('D') + 0.06);       // exact match rises, and is exact
  EXPECT_NEAR(rate('E'), rate('B'), 0.02);      // both are p at the draft's argmax
  EXPECT_NEAR(rate('F'), greedy_rate(), 0.02);  // both sides greedy: argmax agreement
  EXPECT_NEAR(rate('G'), rate('D'), 0.02);      // q dropped: exact match by another name
  EXPECT_GT(rate('H'), rate('E') + 0.1);        // a coin three times as kind
  EXPECT_GT(rate('I'), 0.97);                   // nearly everything passes
  EXPECT_GT(rate('J'), rate('A') + 0.05);       // typical
  EXPECT_NEAR(rate('K'), rate('A'), 0.05);      // sampled at 0.2, believed at 0.7: flat, biased
}

TEST(ForwardedCases, HarmExactlyWhereTheOutputIsNotWhatWasAskedFor) {
  const auto results = run_all(cases());
  const std::string harmful = "..h..h.hhhh";
  for (std::size_t c = 0; c < kCases; ++c)
    EXPECT_EQ(harmed(results[c]), harmful[c] == 'h') << char('A' + c);
}

}  // namespace
}  // namespace specroute::sim
