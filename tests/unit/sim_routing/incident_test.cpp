// The incident in miniature: target 0 dies at 5 s; the stand-by takes over, and
// the draft in its rack still samples at temperature 0 for a job that is gone.
// Every gate sees the same telemetry.
#include <gtest/gtest.h>

#include "tests/unit/sim_routing/scripted_world.hpp"

namespace specroute::sim {
namespace {

constexpr Seconds kCrash{5.0};
// Detection 0.3 + command 0.01 + bind verification 0.02 + rebuild 0.03.
constexpr double kBound = 5.36;

Scenario two_racks() {
  Scenario s = small_fleet();
  s.backends[kStandby.index()].rack = "r2";
  s.backends[kSpareDraft.index()].rack = "r2";
  return s;
}

/// The world of the incident under a gate with a cool-down of 3 s.
struct Incident : ScriptedWorld {
  explicit Incident(const std::string& gate, Scenario s = two_racks())
      : ScriptedWorld(std::move(s), R"({"gate": ")" + gate + R"(", "cool_down_s": 3})") {
    override_sampling(kSpareDraft, stale());
    crash(kTarget, kCrash);
  }

  /// Decisions of one type since the fail-over.
  [[nodiscard]] std::vector<DecisionRecord> after(std::uint32_t type) const {
    auto all = said(type);
    std::erase_if(all, [](const DecisionRecord& d) { return d.at < kCrash; });
    return all;
  }
};

TEST(Incident, FailsOverToTheStandbyWithTheDraftOfItsRack) {
  Incident world("none");
  world.run_until(Seconds{5.4});
  ASSERT_EQ(world.bound.size(), 2U);
  EXPECT_NEAR(world.bound[1].first.count(), kBound, 1e-9);
  EXPECT_EQ(world.control.pairing(world.bound[1].second).cause, BindCause::target_lost);
  EXPECT_EQ(world.draft_of(kStandby), kSpareDraft);
  EXPECT_FALSE(world.control.serving(kTarget).exists());
}

TEST(Incident, NoneLocksTheSpike) {
  Incident world("none");
  world.run_until(Seconds{8.0});
  const auto locks = world.after(SRP_LOCK);
  ASSERT_GE(locks.size(), 1U);
  EXPECT_EQ(locks[0].decision.reward_ppm, 940'000);
  EXPECT_LT(locks[0].at, Seconds{kBound + 0.1});
  EXPECT_TRUE(world.after(SRP_REBIND).empty());
  EXPECT_EQ(world.draft_of(kStandby), kSpareDraft);
}

/// What every gate that rejects has in common: it rejects within 100 ms of the
/// bind, re-binds to the consistent draft 60 ms later (command, verification,
/// rebuild), and is at peace after that.
void expect_caught(Incident& world, const std::string& reason, double rebind) {
  world.run_until(Seconds{8.0});
  const auto rejections = world.after(SRP_REBIND);
  ASSERT_EQ(rejections.size(), 1U);
  EXPECT_LT(rejections[0].at, Seconds{kBound + 0.1});
  EXPECT_EQ(world.reason(rejections[0]), reason);
  EXPECT_EQ(rejections[0].decision.to.replace, static_cast<std::uint32_t>(SRP_REPLACE_DRAFT));
  ASSERT_EQ(world.bound.size(), 3U);
  EXPECT_NEAR((world.bound[2].first - rejections[0].at).count(), rebind, 1e-9);
  EXPECT_EQ(world.draft_of(kStandby), kDraft);
  EXPECT_EQ(world.control.pairing(world.bound[2].second).cause, BindCause::policy);
  EXPECT_LT(world.decisions.size(), 20U);
}

TEST(Incident, DeltaOnlyRejectsTheSpike) {
  Incident world("delta_only");
  expect_caught(world, "spike", 0.06);
}

TEST(Incident, HashOnlyRejectsTheDifference) {
  Incident world("hash_only");  // asks for the hash at bind: 50 ms more
  expect_caught(world, "params_differ", 0.11);
}

TEST(Incident, ParamsHashRejectsAtOnce) {
  Incident world("params_hash");
  expect_caught(world, "params_differ_logits_forwarded", 0.11);
}

TEST(Incident, ValidityRejectsAtOnce) {
  Incident world("validity");
  expect_caught(world, "params_differ_logits_forwarded", 0.11);
  EXPECT_TRUE(world.after(SRP_LOCK).empty());
}

TEST(Incident, CooldownOnlyServesTheSpikeAndThenLocksIt) {
  Incident world("cooldown_only");
  world.run_until(Seconds{kBound + 2.9});
  EXPECT_TRUE(world.after(SRP_LOCK).empty());
  world.run_until(Seconds{kBound + 3.1});
  EXPECT_EQ(world.after(SRP_LOCK).size(), 1U);
  EXPECT_EQ(world.draft_of(kStandby), kSpareDraft);
}

// At the fail-over only claims are known, so the pair serves alone; it drafts
// again once a draft's own word agrees with the profile, which the stale one's
// never does.
TEST(Incident, ValiditySafeDraftsAgainOnlyWhenVerified) {
  Incident world("validity_safe");
  world.run_until(Seconds{6.0});
  EXPECT_FALSE(world.draft_of(kStandby).exists());
  EXPECT_TRUE(world.control.serving(kStandby).exists());
  world.run_until(Seconds{40.0});  // NO_DRAFT lasts 30 s
  EXPECT_EQ(world.draft_of(kStandby), kDraft);
  EXPECT_TRUE(world.after(SRP_LOCK).empty());
}

TEST(Incident, ParametersVerifiedAtBindLeaveNothingToReject) {
  for (const char* gate : {"none", "validity", "validity_safe"}) {
    Scenario s = two_racks();
    s.router.verify_parameters_at_bind = true;
    Incident world(gate, s);
    world.run_until(Seconds{8.0});
    EXPECT_EQ(world.draft_of(kStandby), kDraft) << gate;
    ASSERT_EQ(world.bound.size(), 2U) << gate;
    // The stale draft costs one attempt: 2 * (0.01 + 0.02 + 0.05) + 0.03 after
    // detection.
    EXPECT_NEAR(world.bound[1].first.count(), 5.3 + 0.19, 1e-9) << gate;
    EXPECT_TRUE(world.after(SRP_REBIND).empty()) << gate;
  }
}

// The stale side is the target: it is the one to go, and its successor keeps
// the draft.
TEST(Incident, ReplacesAStaleTargetAndKeepsTheDraft) {
  Scenario s = two_racks();
  s.backends.push_back(small_backend("target-2", Role::target));  // id 4
  Incident world("validity", s);
  world.clear_override(kSpareDraft);
  world.override_sampling(kStandby, stale());
  world.run_until(Seconds{8.0});
  const auto rejections = world.after(SRP_REBIND);
  ASSERT_EQ(rejections.size(), 1U);
  EXPECT_EQ(rejections[0].decision.to.replace, static_cast<std::uint32_t>(SRP_REPLACE_TARGET));
  EXPECT_FALSE(world.control.serving(kStandby).exists());
  EXPECT_EQ(world.draft_of(BackendId{4}), kSpareDraft);
}

// Two profiles, one decision each in one instant: one re-bind of the pairing,
// not two.
TEST(Incident, TwoProfilesRejectOnePairingOnce) {
  Scenario s = two_racks();
  s.profiles.push_back(s.profiles[0]);
  s.profiles[1].sampling.seed = 99;
  s.classes.push_back(s.classes[0]);
  s.classes[1].profile = ProfileId{1};
  for (int i = 0; i < 3; ++i) s.backends.push_back(small_backend("more", Role::target));
  for (const BackendId side : {kSpareDraft, kStandby}) {
    Incident world("validity", s);
    world.clear_override(kSpareDraft);
    world.override_sampling(side, stale());
    world.run_until(Seconds{5.9});
    EXPECT_EQ(world.bound.size(), 3U) << side.value;
  }
}

}  // namespace
}  // namespace specroute::sim
