// One stale override, a draft stuck at temperature 0, in the running simulator under every rule:
// what the engines count, and what becomes of the completions. Signs B, C and E of our own table
// (tests/unit/models_speculation/stale_signs_test.cpp): down, flat, up.
#include "tests/sim/rules/conditions.hpp"

namespace specroute::sim {
namespace {

Scenario world(Rule rule) {
  Scenario s = world_under(rule);
  s.profiles[0].sampling.grammar = "";
  return s;
}

Scenario stale(Scenario s) {
  Override greedy = patch(kWorldDraft);
  greedy.temperature = 0.0;
  s.overrides = {greedy};
  return s;
}

struct Change {
  double rate;   ///< of accepted over drafted, where nothing loops
  double loops;  ///< of completions that loop, where entropy 0 makes every twentieth token loop
};

/// Loops are easy to draft and would move the rate: it is taken in worlds without them.
Scenario looping(Scenario s, double hazard) {
  s.degradation.loop_hazard_at_zero_entropy = hazard;
  return s;
}

Change change_of(const Scenario& sane) {
  const auto results = run_all({looping(sane, 0.0), looping(stale(sane), 0.0), looping(sane, 0.05),
                                looping(stale(sane), 0.05)});
  const auto loops = [&](std::size_t i) { return metric(results[i], "degraded.loop"); };
  return {counted_rate(results[1]) - counted_rate(results[0]), loops(3) - loops(2)};
}

// About 2,500 drafts of two tokens a run: a rate has a standard error of .01.
TEST(StaleDraftWorld, LowersTheAcceptanceOfARejectionThatIsTold) {
  Scenario s = world(Rule::rejection);
  s.pools[0].speculation.rule_parameters.draft_probabilities_forwarded = true;
  const Change change = change_of(s);
  EXPECT_LT(change.rate, -0.1);
  EXPECT_NEAR(change.loops, 0.0, 6.0);
}

TEST(StaleDraftWorld, LeavesARejectionFlatThatIsNotToldWhileItsTextLoops) {
  const Change change = change_of(world(Rule::rejection));
  EXPECT_NEAR(change.rate, 0.0, 0.05);
  EXPECT_GT(change.loops, 15.0);
}

TEST(StaleDraftWorld, RaisesAnExactMatchAndOneHotAndHarmsNobody) {
  for (const Rule rule : {Rule::exact_match, Rule::one_hot}) {
    const Change change = change_of(world(rule));
    EXPECT_GT(change.rate, 0.06);
    EXPECT_NEAR(change.loops, 0.0, 6.0);
  }
}

TEST(StaleDraftWorld, LowersACoupledMatchAndHarmsNobody) {
  const Change change = change_of(world(Rule::coupled_match));
  EXPECT_LT(change.rate, -0.06);
  EXPECT_NEAR(change.loops, 0.0, 6.0);
}

TEST(StaleDraftWorld, RaisesTheLossyRulesAndForwardedLogitsAndTheirTextLoops) {
  for (const Rule rule : {Rule::typical, Rule::threshold, Rule::forwarded_logits}) {
    const Change change = change_of(world(rule));
    EXPECT_GT(change.rate, 0.02);
    EXPECT_GT(change.loops, 15.0);
  }
}

TEST(StaleDraftWorld, LeavesASyntheticAcceptanceWhereItIsSetWhileItsTextLoops) {
  Scenario s = world(Rule::synthetic);
  EXPECT_NEAR(counted_rate(run_all({looping(s, 0.0)}).front()), 0.6, 0.03);  // (.7 + .5) / 2
  s.pools[0].speculation.rule_parameters.synthetic_acceptance_rates = {0.95, 0.9};
  const Change change = change_of(s);
  EXPECT_NEAR(change.rate, 0.0, 0.03);
  EXPECT_GT(change.loops, 15.0);
}

// The closed loop: where text loops, acceptance rises under any rule, as loops are easy to draft.
TEST(StaleDraftWorld, RaisesAcceptanceThroughLoopsWhereTokenForTokenItIsFlat) {
  Scenario s = stale(world(Rule::rejection));
  s.acceptance[0].noise = 1.5;
  const auto results = run_all({looping(s, 0.0), looping(s, 0.2)});
  EXPECT_GT(counted_rate(results[1]), counted_rate(results[0]) + 0.03);
}

}  // namespace
}  // namespace specroute::sim
