#include "sim/faults/override_plan.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

constexpr BackendId kOverridden{3};

Sampling requested() {
  return {.temperature = 0.7,
          .top_p = 0.9,
          .top_k = 40,
          .min_p = 0.05,
          .seed = 17,
          .grammar = "schema"};
}

Override temperature_override(double temperature, double from) {
  Override change{};
  change.backend = kOverridden;
  change.owner = "batch-job";
  change.from = Seconds{from};
  change.owner_gone = Seconds{from + 1.0};
  change.temperature = temperature;
  return change;
}

TEST(OverridePlan, PatchesOnlyWhatItNames) {
  const OverridePlan plan({temperature_override(0.0, 10.0)});
  const Sampling applied = plan.applied(kOverridden, requested(), Seconds{10.0});
  EXPECT_EQ(applied.temperature, 0.0);
  EXPECT_EQ(applied.top_p, 0.9);
  EXPECT_EQ(applied.top_k, 40U);
  EXPECT_EQ(applied.min_p, 0.05);
  EXPECT_EQ(applied.seed, 17);
  EXPECT_EQ(applied.grammar, "schema");
}

// The block is the engine's own: temperature 1, no truncation, seed 0, and no grammar.
TEST(OverridePlan, ReplacesTheWholeBlockGrammarIncluded) {
  Override change = temperature_override(0.0, 10.0);
  change.replaces_block = true;
  const OverridePlan plan({change});
  const Sampling applied = plan.applied(kOverridden, requested(), Seconds{11.0});
  EXPECT_EQ(applied.temperature, 0.0);
  EXPECT_EQ(applied.top_p, 1.0);
  EXPECT_EQ(applied.top_k, 0U);
  EXPECT_EQ(applied.min_p, 0.0);
  EXPECT_EQ(applied.seed, 0);
  EXPECT_EQ(applied.grammar, "");
}

TEST(OverridePlan, HoldsFromItsDateUntilItsEnd) {
  Override change = temperature_override(0.0, 10.0);
  change.until = Seconds{20.0};
  const OverridePlan plan({change});
  const auto temperature = [&](double now) {
    return plan.applied(kOverridden, requested(), Seconds{now}).temperature;
  };
  EXPECT_EQ(temperature(9.99), 0.7);
  EXPECT_EQ(temperature(10.0), 0.0);
  EXPECT_EQ(temperature(19.99), 0.0);
  EXPECT_EQ(temperature(20.0), 0.7);
  EXPECT_EQ(plan.applied(BackendId{4}, requested(), Seconds{15.0}).temperature, 0.7);
}

TEST(OverridePlan, StaysInForceAfterItsOwnerIsGone) {
  const OverridePlan plan({temperature_override(0.0, 10.0)});
  const Override* stale = plan.in_force(kOverridden, Seconds{1000.0});
  ASSERT_NE(stale, nullptr);
  EXPECT_LT(stale->owner_gone, Seconds{1000.0});
  EXPECT_EQ(plan.in_force(kOverridden, Seconds{9.0}), nullptr);
}

TEST(OverridePlan, IsWipedByARestart) {
  OverridePlan plan({temperature_override(0.0, 10.0)});
  plan.restarted(BackendId{4}, Seconds{12.0});
  EXPECT_EQ(plan.applied(kOverridden, requested(), Seconds{13.0}).temperature, 0.0);
  plan.restarted(kOverridden, Seconds{15.0});
  EXPECT_EQ(plan.applied(kOverridden, requested(), Seconds{14.9}).temperature, 0.0);
  EXPECT_EQ(plan.applied(kOverridden, requested(), Seconds{15.0}).temperature, 0.7);
  EXPECT_EQ(plan.in_force(kOverridden, Seconds{15.0}), nullptr);
}

TEST(OverridePlan, SurvivesARestartBeforeIt) {
  OverridePlan plan({temperature_override(0.0, 10.0)});
  plan.restarted(kOverridden, Seconds{5.0});
  EXPECT_EQ(plan.applied(kOverridden, requested(), Seconds{11.0}).temperature, 0.0);
}

TEST(OverridePlan, LetsTheOverrideSetLastWinWhateverTheOrderOfTheFile) {
  const Override first = temperature_override(0.0, 10.0);
  const Override second = temperature_override(0.3, 20.0);
  for (const auto& file : {std::vector{first, second}, std::vector{second, first}}) {
    const OverridePlan plan(file);
    EXPECT_EQ(plan.applied(kOverridden, requested(), Seconds{15.0}).temperature, 0.0);
    EXPECT_EQ(plan.applied(kOverridden, requested(), Seconds{25.0}).temperature, 0.3);
    EXPECT_EQ(plan.in_force(kOverridden, Seconds{25.0})->from, Seconds{20.0});
  }
}

TEST(OverridePlan, ListsDatesOfChangeOnceInOrder) {
  Override first = temperature_override(0.0, 10.0);
  first.until = Seconds{20.0};
  const OverridePlan plan({temperature_override(0.3, 20.0), first});
  const auto changes = plan.changes();
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0], (ConditionChange{Seconds{10.0}, kOverridden}));
  EXPECT_EQ(changes[1], (ConditionChange{Seconds{20.0}, kOverridden}));
}

TEST(OverridePlan, ComesBackWithEveryRestartWhereItIsConfigured) {
  Override lost_default = temperature_override(1.0, 10.0);
  lost_default.at_restart = lost_default.survives_restart = true;
  OverridePlan plan({lost_default});
  EXPECT_TRUE(plan.changes().empty());
  EXPECT_EQ(plan.applied(kOverridden, requested(), Seconds{15.0}).temperature, 0.7);
  plan.restarted(kOverridden, Seconds{20.0});
  plan.restarted(kOverridden, Seconds{30.0});
  EXPECT_EQ(plan.applied(kOverridden, requested(), Seconds{19.0}).temperature, 0.7);
  EXPECT_EQ(plan.applied(kOverridden, requested(), Seconds{40.0}).temperature, 1.0);
}

TEST(OverridePlan, CopiesWhatIsInForceOnceAndForGood) {
  constexpr BackendId kStandby{4};
  Override original = temperature_override(0.0, 10.0);
  original.until = Seconds{50.0};
  OverridePlan plan({original, temperature_override(0.3, 90.0)});
  plan.copy(kOverridden, kStandby, Seconds{20.0});
  plan.copy(kOverridden, kStandby, Seconds{21.0});
  EXPECT_EQ(plan.changes().size(), 4U);  // from, until, one copy, and what is yet to come
  EXPECT_EQ(plan.applied(kStandby, requested(), Seconds{19.0}).temperature, 0.7);
  EXPECT_EQ(plan.applied(kStandby, requested(), Seconds{60.0}).temperature, 0.0);
  EXPECT_EQ(plan.in_force(kStandby, Seconds{60.0})->owner, "batch-job (copied from the primary)");
  constexpr BackendId kNext{5};
  plan.copy(kStandby, kNext, Seconds{65.0});
  EXPECT_EQ(plan.in_force(kNext, Seconds{66.0})->owner, "batch-job (copied from the primary)");
  plan.restarted(kStandby, Seconds{70.0});
  EXPECT_EQ(plan.applied(kStandby, requested(), Seconds{80.0}).temperature, 0.7);
}

TEST(OverridePlan, CopiesWhatItsOwnerSetSinceTheLastCopy) {
  constexpr BackendId kStandby{4};
  Override truncation{};
  truncation.backend = kOverridden;
  truncation.owner = "batch-job";
  truncation.from = Seconds{70.0};
  truncation.top_p = 0.5;
  OverridePlan plan({temperature_override(0.0, 10.0), temperature_override(0.3, 60.0), truncation,
                     temperature_override(0.0, 90.0)});
  plan.copy(kOverridden, kStandby, Seconds{20.0});
  plan.copy(kOverridden, kStandby, Seconds{80.0});
  EXPECT_EQ(plan.applied(kStandby, requested(), Seconds{79.0}).temperature, 0.0);
  EXPECT_EQ(plan.applied(kStandby, requested(), Seconds{81.0}).temperature, 0.3);
  EXPECT_EQ(plan.applied(kStandby, requested(), Seconds{81.0}).top_p, 0.5);
  plan.copy(kOverridden, kStandby, Seconds{100.0});
  EXPECT_EQ(plan.applied(kStandby, requested(), Seconds{101.0}).temperature, 0.0) << "as at first";
}

// There and back: what the first took over from itself would undo what was set on it meanwhile.
TEST(OverridePlan, CopiesNothingBackToWhereItComesFrom) {
  constexpr BackendId kStandby{4};
  OverridePlan plan({temperature_override(0.0, 10.0), temperature_override(0.7, 40.0)});
  plan.copy(kOverridden, kStandby, Seconds{20.0});
  plan.copy(kStandby, kOverridden, Seconds{80.0});
  EXPECT_EQ(plan.applied(kOverridden, requested(), Seconds{81.0}).temperature, 0.7);
}

// What the batch runs under is the last request's; what the backend tells of itself is not.
TEST(OverridePlan, KeepsASharedBatchOutOfWhatABackendTells) {
  Override shared = temperature_override(0.0, 10.0);
  shared.last_request = true;
  const OverridePlan plan({shared});
  EXPECT_FALSE(plan.shares_last_request(kOverridden, Seconds{9.0}));
  EXPECT_TRUE(plan.shares_last_request(kOverridden, Seconds{10.0}));
  EXPECT_EQ(plan.applied(kOverridden, requested(), Seconds{11.0}).temperature, 0.7);
  EXPECT_EQ(plan.in_force(kOverridden, Seconds{11.0})->owner, "batch-job");
}

}  // namespace
}  // namespace specroute::sim
