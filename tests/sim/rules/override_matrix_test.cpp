// Every override on the draft under every verification rule, in the running simulator: the sign of
// the change in acceptance, and whether the pairing does harm.
#include <array>
#include <cmath>

#include "tests/sim/rules/conditions.hpp"

namespace specroute::sim {
namespace {

constexpr std::size_t kRules = 9;
struct RuleCase {
  const char* name;
  Rule rule;
  bool told;
};
constexpr std::array<RuleCase, kRules> kRuleCases = {{{"rejection", Rule::rejection, false},
                                                      {"told rejection", Rule::rejection, true},
                                                      {"exact_match", Rule::exact_match, false},
                                                      {"one_hot", Rule::one_hot, false},
                                                      {"coupled_match", Rule::coupled_match, false},
                                                      {"typical", Rule::typical, false},
                                                      {"threshold", Rule::threshold, false},
                                                      {"forwarded", Rule::forwarded_logits, false},
                                                      {"synthetic", Rule::synthetic, false}}};

Scenario world(const RuleCase& of) {
  Scenario s = rule_world(of.rule);
  s.pools[0].speculation.rule_parameters.draft_probabilities_forwarded = of.told;
  return s;
}

/// Runs all rules healthy, then all under `change`. @return changes in rate, and who does harm.
struct Effect {
  std::array<double, kRules> rate{};
  std::array<bool, kRules> harm{};
  std::array<double, kRules> schema{};
};
Effect effect_of(const Override& change) {
  std::vector<Scenario> worlds;
  for (const RuleCase& of : kRuleCases) worlds.push_back(world(of));
  for (const RuleCase& of : kRuleCases) worlds.push_back(with(world(of), change));
  const auto results = run_all(worlds);
  Effect effect;
  for (std::size_t r = 0; r < kRules; ++r) {
    effect.rate[r] = counted_rate(results[kRules + r]) - counted_rate(results[r]);
    effect.harm[r] = harmed(results[kRules + r]);
    effect.schema[r] = metric(results[kRules + r], "degraded.schema");
    EXPECT_FALSE(harmed(results[r])) << kRuleCases[r].name;
  }
  return effect;
}

/// One sign for each rule: '+', '-', or '0' for within .04; and the rules that do harm.
void expect_effect(const Effect& effect, const std::string& signs, const std::string& harm,
                   double least) {
  for (std::size_t r = 0; r < kRules; ++r) {
    SCOPED_TRACE(kRuleCases[r].name);
    const double change = effect.rate[r];
    const bool as_said = signs[r] == '+'   ? change > least
                         : signs[r] == '-' ? change < -least
                                           : std::abs(change) < 0.04;
    EXPECT_TRUE(as_said) << change << " where " << signs[r] << " was expected";
    EXPECT_EQ(effect.harm[r], harm[r] == 'h');
  }
}

// Rules in order: rejection, told rejection, exact_match, one_hot, coupled_match, typical,
// threshold, forwarded_logits, synthetic. Sums over distributions say so: with a sharper q, sum q
// min(1, p/q^) stays, sum min(p, q) falls, sum p q rises, the lossy rules accept more.
TEST(OverrideMatrix, OfTemperatureZero) {
  expect_effect(effect_of(temperature_patch(kWorldDraft, 0.0)), "0-++-+++0", "h....hhhh", 0.02);
}

TEST(OverrideMatrix, OfTemperaturePointThree) {
  expect_effect(effect_of(temperature_patch(kWorldDraft, 0.3)), "0-++-+++0", "h....hhhh", 0.02);
}

TEST(OverrideMatrix, OfANucleus) {
  Override change = patch(kWorldDraft);
  change.top_p = 0.5;
  expect_effect(effect_of(change), "0-++-+++0", "h....hhhh", 0.02);
}

// One token is left: to the distributions it is temperature 0.
TEST(OverrideMatrix, OfTopKOneIsThatOfTemperatureZero) {
  Override change = patch(kWorldDraft);
  change.top_k = 1;
  const Effect one = effect_of(change);
  const Effect greedy = effect_of(temperature_patch(kWorldDraft, 0.0));
  EXPECT_EQ(one.rate, greedy.rate);
  EXPECT_EQ(one.harm, greedy.harm);
}

// Noise that both sides share is keyed by the seed; no other rule can tell seeds apart.
TEST(OverrideMatrix, OfAFrozenSeed) {
  Override change = patch(kWorldDraft);
  change.seed = 42;
  const Effect effect = effect_of(change);
  expect_effect(effect, "0000-0000", ".........", 0.02);
  for (std::size_t r = 0; r < kRules; ++r)
    EXPECT_EQ(effect.rate[r] != 0.0, kRuleCases[r].rule == Rule::coupled_match);
}

// The mask of the draft counts only where the draft's tokens are emitted as they are.
TEST(OverrideMatrix, OfADroppedGrammar) {
  Override change = patch(kWorldDraft);
  change.grammar = "";
  const Effect effect = effect_of(change);
  expect_effect(effect, "000000000", ".......hh", 0.02);
  for (std::size_t r = 0; r < kRules; ++r) {
    const bool bypassed =
        kRuleCases[r].rule == Rule::forwarded_logits || kRuleCases[r].rule == Rule::synthetic;
    EXPECT_EQ(effect.schema[r] > 0.0, bypassed) << kRuleCases[r].name;
    EXPECT_EQ(effect.rate[r], 0.0) << kRuleCases[r].name;
  }
}

// On the target a dropped grammar bypasses the mask under every rule, drafts or none.
TEST(OverrideMatrix, OfADroppedGrammarOnTheTarget) {
  Override change = patch(kWorldTarget);
  change.grammar = "";
  const Effect effect = effect_of(change);
  for (std::size_t r = 0; r < kRules; ++r) {
    EXPECT_TRUE(effect.harm[r]) << kRuleCases[r].name;
    EXPECT_GT(effect.schema[r], 0.0) << kRuleCases[r].name;
  }
}

}  // namespace
}  // namespace specroute::sim
