#include <gtest/gtest.h>

#include "models/degradation/corruption.hpp"
#include "models/degradation/schema.hpp"

namespace specroute::models {
namespace {

using Rule = VerificationRule;

constexpr SchemaModel kSchema{.unmasked_hazard = 1.65e-4};

Situation override_without_grammar() {
  return stale_draft({.temperature = 0.7, .grammar_id = "invoice"}, {.temperature = 0.0});
}

TEST(SchemaHazard, ArisesWhereForwardedLogitsDropTheGrammar) {
  const auto hazard =
      schema_step_hazard(kSchema, Rule::forwarded_logits, override_without_grammar(), "invoice");
  EXPECT_EQ(hazard.verified, 1.65e-4);
  EXPECT_EQ(hazard.bonus, 0.0);  // drawn under the request's own mask
}

TEST(SchemaHazard, IsNoneUnderRulesThatMaskTheTarget) {
  for (const Rule rule : {Rule::rejection, Rule::exact_match, Rule::one_hot})
    EXPECT_EQ(schema_step_hazard(kSchema, rule, override_without_grammar(), "invoice").verified,
              0.0)
        << to_string(rule);
}

TEST(SchemaHazard, IsNoneWithoutAGrammarOrWithTheSameOne) {
  const auto hazard = [](const char* wanted, const char* in_force) {
    return schema_step_hazard(kSchema, Rule::forwarded_logits,
                              stale_draft({.temperature = 0.7, .grammar_id = wanted},
                                          {.temperature = 0.0, .grammar_id = in_force}),
                              wanted)
        .verified;
  };
  EXPECT_EQ(hazard("", ""), 0.0);
  EXPECT_EQ(hazard("", "invoice"), 0.0);  // nothing to violate
  EXPECT_EQ(hazard("invoice", "invoice"), 0.0);
  EXPECT_EQ(hazard("invoice", "receipt"), 1.65e-4);
}

// A target that lost its grammar leaves the bonus token unmasked, and under forwarded logits the
// draft's intact mask still governs the verified positions.
TEST(SchemaHazard, FollowsWhoeverSamplesTheToken) {
  Situation dropped = healthy({.temperature = 0.7, .grammar_id = "invoice"});
  dropped.request.grammar_id.clear();
  const auto forwarded = schema_step_hazard(kSchema, Rule::forwarded_logits, dropped, "invoice");
  EXPECT_EQ(forwarded.verified, 0.0);
  EXPECT_EQ(forwarded.bonus, 1.65e-4);
  const auto matched = schema_step_hazard(kSchema, Rule::exact_match, dropped, "invoice");
  EXPECT_EQ(matched.verified, 1.65e-4);
  EXPECT_EQ(matched.bonus, 1.65e-4);
}

constexpr CorruptionModel kCorruption{
    .tokenizer_hazard = 0.5, .kv_block_hazard = 0.2, .attention_mask_hazard = 0.1};

TEST(CorruptionHazard, IsNoneForAConsistentPair) {
  EXPECT_EQ(corruption_step_hazard(kCorruption, {}).verified, 0.0);
  EXPECT_EQ(corruption_step_hazard(kCorruption, {}).bonus, 0.0);
}

// 1 - .8 x .9 = .28; with the tokenizer too, 1 - .5 x .72 = .64.
TEST(CorruptionHazard, CombinesMismatchesForEveryToken) {
  const auto two = corruption_step_hazard(kCorruption, {.kv_block = true, .attention_mask = true});
  EXPECT_NEAR(two.verified, 0.28, 1e-15);
  EXPECT_NEAR(two.bonus, 0.28, 1e-15);
  EXPECT_NEAR(corruption_step_hazard(kCorruption, {true, true, true}).verified, 0.64, 1e-15);
}

TEST(CorruptionHazard, SparesTheFirstBlock) {
  EXPECT_FALSE(past_first_block(0, 16));
  EXPECT_FALSE(past_first_block(15, 16));
  EXPECT_TRUE(past_first_block(16, 16));
}

}  // namespace
}  // namespace specroute::models
