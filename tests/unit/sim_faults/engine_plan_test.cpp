#include "sim/faults/condition_plan.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

constexpr BackendId kChanged{1};

Backend configured() {
  Backend backend{};
  backend.tokenizer = "qwen-2.5";
  backend.kv_block_tokens = 16;
  backend.attention_mask = "causal";
  return backend;
}

EngineChange blocks_of(std::uint32_t tokens, double from) {
  EngineChange change{.backend = kChanged, .cause = "upgrade", .from = Seconds{from}};
  change.kv_block_tokens = tokens;
  return change;
}

std::uint32_t block_at(const EnginePlan& plan, double now) {
  return plan.live(kChanged, configured(), Seconds{now}).kv_block_tokens;
}

TEST(EnginePlan, ChangesWhatItNamesFromItsDateOn) {
  const EnginePlan plan({blocks_of(128, 10.0)});
  EXPECT_EQ(block_at(plan, 9.9), 16U);
  EXPECT_EQ(block_at(plan, 10.0), 128U);
  EXPECT_EQ(plan.live(kChanged, configured(), Seconds{10.0}).tokenizer, "qwen-2.5");
  EXPECT_EQ(plan.live(BackendId{2}, configured(), Seconds{10.0}).kv_block_tokens, 16U);
}

TEST(EnginePlan, LetsTheLatestChangeWinUntilItIsUndone) {
  EngineChange later = blocks_of(64, 20.0);
  later.until = Seconds{30.0};
  const EnginePlan plan({later, blocks_of(128, 10.0)});
  EXPECT_EQ(block_at(plan, 25.0), 64U);
  EXPECT_EQ(block_at(plan, 30.0), 128U);
}

TEST(EnginePlan, WaitsForARestartWhereItTakesEffectWithOne) {
  EngineChange change = blocks_of(128, 10.0);
  change.at_restart = true;
  EnginePlan plan({change});
  EXPECT_TRUE(plan.changes().empty());
  plan.restarted(kChanged, Seconds{5.0});  // too early
  EXPECT_EQ(block_at(plan, 15.0), 16U);
  plan.restarted(kChanged, Seconds{20.0});
  plan.restarted(kChanged, Seconds{40.0});
  EXPECT_EQ(block_at(plan, 19.9), 16U);
  EXPECT_EQ(block_at(plan, 20.0), 128U);
  EXPECT_EQ(block_at(plan, 50.0), 128U);
}

TEST(EnginePlan, LosesAtARestartWhatDoesNotSurviveOne) {
  EngineChange flag = blocks_of(128, 10.0);
  flag.survives_restart = false;
  EnginePlan plan({flag});
  plan.restarted(kChanged, Seconds{20.0});
  EXPECT_EQ(block_at(plan, 15.0), 128U);
  EXPECT_EQ(block_at(plan, 20.0), 16U);
}

TEST(EnginePlan, ReplacesARuleWithItsParameters) {
  EngineChange change{.backend = kChanged, .cause = "flag", .from = Seconds{1.0}};
  change.rule = Rule::synthetic;
  change.rule_parameters.synthetic_acceptance_rates = {0.9, 0.8};
  const EnginePlan plan({change});
  const Speculation strict{Rule::exact_match, Forward::tokens, 2, Bytes{4.0}, 1};
  EXPECT_EQ(plan.speculation(kChanged, strict, Seconds{0.9}).rule, Rule::exact_match);
  const Speculation flagged = plan.speculation(kChanged, strict, Seconds{1.0});
  EXPECT_EQ(flagged.rule, Rule::synthetic);
  EXPECT_EQ(flagged.rule_parameters.synthetic_acceptance_rates.size(), 2U);
  EXPECT_EQ(flagged.draft_tokens, 2U);
}

TEST(ConditionPlan, SaysWhatIsNotAsConfigured) {
  Override change{};
  change.backend = kChanged;
  change.owner = "batch job";
  change.from = Seconds{1.0};
  change.owner_gone = Seconds{2.0};
  change.temperature = 0.0;
  const ConditionPlan plan(OverridePlan({change}), EnginePlan({blocks_of(128, 3.0)}));
  EXPECT_EQ(plan.describe(kChanged, Seconds{0.5}), "");
  EXPECT_EQ(plan.describe(kChanged, Seconds{1.5}), "batch job");
  EXPECT_EQ(plan.describe(kChanged, Seconds{3.0}), "batch job, stale, upgrade");
  EXPECT_EQ(plan.changes().size(), 2U);
}

}  // namespace
}  // namespace specroute::sim
