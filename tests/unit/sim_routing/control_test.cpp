#include "sim/routing/control.hpp"

#include <gtest/gtest.h>

#include "tests/unit/sim_routing/scripted_world.hpp"

namespace specroute::sim {
namespace {

constexpr const char* kValidity = R"({"gate": "validity", "cool_down_s": 3, "no_draft_s": 4})";

TEST(Control, ServesItsInitialPairings) {
  ScriptedWorld world(small_fleet(), kValidity);
  world.run_until(Seconds{1.0});
  EXPECT_EQ(world.draft_of(kTarget), kDraft);
  EXPECT_EQ(world.dispatcher.choose(kPool), kTarget);
  EXPECT_TRUE(world.said(SRP_REBIND).empty());
}

TEST(Control, ReplacesADraftThatDied) {
  ScriptedWorld world(small_fleet(), kValidity);
  world.crash(kDraft, Seconds{2.0});
  world.run_until(Seconds{3.0});
  EXPECT_EQ(world.draft_of(kTarget), kSpareDraft);
  ASSERT_EQ(world.bound.size(), 2U);
  EXPECT_NEAR(world.bound[1].first.count(), 2.36,
              1e-9);  // detected, commanded, verified, rebuilt
  EXPECT_EQ(world.control.pairing(world.bound[1].second).cause, BindCause::draft_lost);
}

TEST(Control, ServesAloneWithoutADraftAndReadmitsOneThatReturns) {
  ScriptedWorld world(small_fleet(), kValidity);
  world.crash(kDraft, Seconds{2.0});
  world.crash(kSpareDraft, Seconds{3.0});
  world.run_until(Seconds{4.0});
  EXPECT_TRUE(world.control.serving(kTarget).exists());
  EXPECT_FALSE(world.draft_of(kTarget).exists());
  world.run_until(Seconds{30.0});  // asks again every 5 s, in vain
  EXPECT_FALSE(world.draft_of(kTarget).exists());
  world.restart(kSpareDraft, Seconds{31.0});
  world.run_until(Seconds{37.0});
  EXPECT_EQ(world.draft_of(kTarget), kSpareDraft);
  EXPECT_EQ(world.control.pairing(world.control.serving(kTarget)).cause, BindCause::readmit);
}

// Both drafts are stale: the first is rejected, the second fails its
// verification, the policy answers NO_DRAFT; the target serves alone until its
// end, and then only a verified draft is let back in.
TEST(Control, ServesAloneWhenCandidatesAreExhausted) {
  ScriptedWorld world(small_fleet(), kValidity);
  world.override_sampling(kSpareDraft, stale());
  world.at(Seconds{2.0}, [&] { world.override_sampling(kDraft, stale()); });
  world.run_until(Seconds{3.0});
  EXPECT_EQ(world.said(SRP_REBIND).size(), 1U);
  ASSERT_EQ(world.said(SRP_NO_DRAFT).size(), 1U);
  EXPECT_TRUE(world.control.serving(kTarget).exists());
  EXPECT_FALSE(world.draft_of(kTarget).exists());
  world.run_until(Seconds{20.0});
  EXPECT_FALSE(world.draft_of(kTarget).exists());
  world.restart(kDraft, Seconds{20.5});  // a restart wipes the override
  world.run_until(Seconds{27.0});
  EXPECT_EQ(world.draft_of(kTarget), kDraft);
  EXPECT_LT(world.decisions.size(), 20U);
}

TEST(Control, WaitsForATargetWhereNoneIsLeft) {
  ScriptedWorld world(small_fleet(), kValidity);
  world.crash(kStandby, Seconds{1.0});
  world.crash(kTarget, Seconds{2.0});
  world.run_until(Seconds{10.0});
  EXPECT_FALSE(world.dispatcher.choose(kPool).has_value());
  world.restart(kTarget, Seconds{11.0});
  world.run_until(Seconds{18.0});  // the router asks again every 5 s
  EXPECT_EQ(world.draft_of(kTarget), kDraft);
}

TEST(Control, AReturnedTargetStandsByForTheNextFailover) {
  ScriptedWorld world(small_fleet(), kValidity);
  world.crash(kTarget, Seconds{2.0});
  world.restart(kTarget, Seconds{5.0});
  world.run_until(Seconds{6.0});
  EXPECT_TRUE(world.control.serving(kStandby).exists());
  EXPECT_FALSE(world.control.serving(kTarget).exists());
  world.crash(kStandby, Seconds{7.0});
  world.run_until(Seconds{8.0});
  EXPECT_TRUE(world.control.serving(kTarget).exists());
}

// The stand-by dies, unseen as yet, while the fail-over to it is under way: the
// next one takes over.
TEST(Control, FailsOverToTheNextTargetWhenTheFirstIsDeadToo) {
  Scenario s = small_fleet();
  s.backends.push_back(small_backend("target-2", Role::target));  // id 4
  ScriptedWorld world(s, kValidity);
  world.crash(kTarget, Seconds{2.0});
  world.crash(kStandby, Seconds{2.2});
  world.run_until(Seconds{4.0});
  EXPECT_EQ(world.draft_of(BackendId{4}), kDraft);
  EXPECT_EQ(world.bound.size(), 2U);
}

TEST(Control, PicksAnotherDraftWhenTheOneItWantsDies) {
  Scenario s = small_fleet();
  s.backends.push_back(small_backend("draft-2", Role::draft));  // id 4
  ScriptedWorld world(s, kValidity);
  world.crash(kSpareDraft, Seconds{2.1});
  world.crash(kDraft, Seconds{2.11});  // wants the spare at 2.41, which is known dead since 2.4
  world.run_until(Seconds{2.415});
  world.run_until(Seconds{4.0});
  EXPECT_EQ(world.draft_of(kTarget), BackendId{4});
}

// The wanted draft's death is known while its answer is on the way: the late
// answer belongs to an operation that is closed, so the successor is verified
// in its own time and binds once.
TEST(Control, IgnoresTheAnswerOfAnAbandonedCandidate) {
  Scenario s = small_fleet();
  s.backends.push_back(small_backend("draft-2", Role::draft));  // id 4
  s.router.bind_verification = Seconds{0.5};
  ScriptedWorld world(s, kValidity);
  world.crash(kDraft, Seconds{2.0});       // at 2.3 asks the spare, answer due at 2.81
  world.crash(kSpareDraft, Seconds{2.2});  // known at 2.5: asks draft 4, answer due at 3.01
  world.run_until(Seconds{5.0});
  ASSERT_EQ(world.bound.size(), 2U);
  EXPECT_NEAR(world.bound[1].first.count(), 3.04, 1e-9);
  EXPECT_EQ(world.draft_of(kTarget), BackendId{4});
}

/// A slow router whose policy is re-binding the target's draft from 2.06 s to
/// about 3.1 s.
struct SlowRebind : ScriptedWorld {
  explicit SlowRebind(const std::string& config, const Scenario& s = slow())
      : ScriptedWorld(s, config) {
    at(Seconds{2.0}, [this] { override_sampling(kDraft, stale()); });
  }
  static Scenario slow() {
    Scenario s = small_fleet();
    s.router.bind_verification = Seconds{1.0};
    s.backends.push_back(small_backend("target-2", Role::target));  // id 4
    return s;
  }
};

// The fail-over supersedes the re-bind: one target takes over, not two.
TEST(Control, OneTargetTakesOverWhenTheOldOneDiesDuringARebind) {
  SlowRebind world(kValidity);
  world.crash(kTarget, Seconds{2.3});
  world.run_until(Seconds{8.0});
  EXPECT_TRUE(world.control.serving(kStandby).exists());
  EXPECT_FALSE(world.control.serving(BackendId{4}).exists());
  EXPECT_FALSE(world.control.serving(kTarget).exists());
  EXPECT_EQ(world.draft_of(kStandby), kSpareDraft);
}

// The same with a target that goes alone: NO_DRAFT has no draft to verify, and
// must not commit.
TEST(Control, ATargetThatDiesOnItsWayAloneIsNotBound) {
  Scenario s = small_fleet();
  s.router.command_transport = Seconds{1.0};
  ScriptedWorld world(s, kValidity);
  world.override_sampling(kSpareDraft, stale());
  world.at(Seconds{2.0}, [&] { world.override_sampling(kDraft, stale()); });
  world.run_until(Seconds{3.5});
  ASSERT_EQ(world.said(SRP_NO_DRAFT).size(), 1U);
  world.crash(kTarget, Seconds{3.51});
  world.run_until(Seconds{9.0});
  EXPECT_FALSE(world.control.serving(kTarget).exists());
  EXPECT_TRUE(world.control.serving(kStandby).exists());
}

// No draft is left, so the stand-by is to serve alone; it dies with the command
// on its way, and the third target takes over.
TEST(Control, FailsOverAgainWhenTheTargetThatWasToServeAloneDies) {
  Scenario s = small_fleet();
  s.router.command_transport = Seconds{1.0};
  s.backends.push_back(small_backend("target-2", Role::target));  // id 4
  ScriptedWorld world(s, kValidity);
  world.crash(kSpareDraft, Seconds{0.1});
  world.crash(kDraft, Seconds{1.9});
  world.crash(kTarget, Seconds{2.0});   // known at 2.3: the stand-by goes alone, at 3.3
  world.crash(kStandby, Seconds{2.5});  // known at 2.8
  world.run_until(Seconds{6.0});
  EXPECT_FALSE(world.control.serving(kStandby).exists());
  EXPECT_TRUE(world.control.serving(BackendId{4}).exists());
  EXPECT_FALSE(world.draft_of(BackendId{4}).exists());
}

// The serving target is dead but not yet known to be: a re-bind of its draft
// does not move the traffic by itself.
TEST(Control, LeavesASilentTargetToItsProbes) {
  SlowRebind world(kValidity);
  world.crash(kTarget, Seconds{2.9});  // verification at 3.07, detection at 3.2
  world.run_until(Seconds{3.15});
  EXPECT_FALSE(world.control.serving(kStandby).exists());
  world.run_until(Seconds{8.0});
  EXPECT_TRUE(world.control.serving(kStandby).exists());
  EXPECT_FALSE(world.control.serving(BackendId{4}).exists());
}

// It was only out of reach for a moment, which probes never saw: it goes on
// serving, and the policy asks again.
TEST(Control, AskedAgainAfterASilenceOfTheServingTarget) {
  SlowRebind world(kValidity);
  world.silence(kTarget, Seconds{2.9}, Seconds{3.5});
  world.run_until(Seconds{8.0});
  EXPECT_FALSE(world.control.serving(kStandby).exists());
  EXPECT_EQ(world.draft_of(kTarget), kSpareDraft);
  EXPECT_EQ(world.said(SRP_REBIND).size(), 2U);
}

// `hash_only` has no fall-back: when its re-bind finds nobody and the old
// draft has died by then, the router still replaces the dead draft.
TEST(Control, ReplacesADraftThatDiedDuringARebindThatFailed) {
  Scenario s = SlowRebind::slow();
  SlowRebind world(R"({"gate": "hash_only"})", s);
  world.override_sampling(kSpareDraft, stale());  // fails the verification that the policy asks
  world.crash(kDraft, Seconds{2.3});
  world.run_until(Seconds{9.0});
  EXPECT_NE(world.draft_of(kTarget), kDraft);
  EXPECT_TRUE(world.control.serving(kTarget).exists());
}

// The draft dies while the policy has it replaced, and the target is silent when asked: nobody else
// comes back to the pairing, so the router does, 5 s after 3.07.
TEST(Control, ReplacesADraftThatDiedDuringARebindOfASilentTarget) {
  SlowRebind world(kValidity);
  world.crash(kDraft, Seconds{2.3});  // known at 2.6, with the re-bind under way
  world.silence(kTarget, Seconds{2.9}, Seconds{3.5});
  world.run_until(Seconds{8.0});
  EXPECT_EQ(world.bound.size(), 1U);
  world.run_until(Seconds{10.0});
  EXPECT_EQ(world.draft_of(kTarget), kSpareDraft);
  ASSERT_EQ(world.bound.size(), 2U);
  EXPECT_EQ(world.control.pairing(world.bound[1].second).cause, BindCause::draft_lost);
}

// Draft 0 dies, returns, and serves target 1 before its first pairing, of
// target 0, is replaced: the end of that pairing does not free it, so that
// nobody else can take it later.
TEST(Control, ADraftThatChangedHandsStaysBound) {
  Scenario s = small_fleet();
  s.pairings.push_back({kStandby, kSpareDraft});
  for (int i = 0; i < 2; ++i) s.backends.push_back(small_backend("more", Role::draft));  // 4 and 5
  s.router.bind_verification = Seconds{2.0};
  ScriptedWorld world(s, kValidity);
  world.crash(kDraft, Seconds{1.0});       // target 0 asks draft 4, which answers at 3.31
  world.crash(kSpareDraft, Seconds{1.3});  // at 1.6 target 1 asks draft 0, bound at 3.64
  world.restart(kDraft, Seconds{1.5});
  world.crash(BackendId{4}, Seconds{3.2});  // silent at 3.31: target 0 asks draft 5, bound at 5.35
  world.run_until(Seconds{6.0});
  EXPECT_EQ(world.draft_of(kTarget), BackendId{5});
  EXPECT_EQ(world.draft_of(kStandby), kDraft);
  world.crash(BackendId{5}, Seconds{6.0});
  world.run_until(Seconds{12.0});
  EXPECT_FALSE(world.draft_of(kTarget).exists());
  EXPECT_EQ(world.draft_of(kStandby), kDraft);
}

TEST(Control, ARewardLastsAsLongAsItsLock) {
  Scenario s = small_fleet();
  s.pairings.push_back({kStandby, kSpareDraft});
  s.router.dispatch = Dispatch::weighted_by_reward;
  ScriptedWorld world(s, R"({"gate": "none", "cool_down_s": 2})");
  world.acceptance[{kTarget, kDraft}] = 0;
  world.acceptance[{kStandby, kSpareDraft}] = 900;
  world.run_until(Seconds{1.0});
  EXPECT_EQ(world.dispatcher.choose(kPool), kStandby);
  world.dispatcher.ended({kStandby});
  world.telemetry = false;
  world.run_until(Seconds{4.0});
  EXPECT_EQ(world.dispatcher.choose(kPool), kTarget);
}

// A gate in shadow mode says the same and nothing is done about it.
TEST(Control, CarriesOutNothingInShadowMode) {
  ScriptedWorld world(small_fleet(), R"({"gate": "validity", "mode": "shadow"})");
  world.at(Seconds{2.0}, [&] { world.override_sampling(kDraft, stale()); });
  world.run_until(Seconds{10.0});
  EXPECT_GE(world.said(SRP_REBIND).size(), 1U);
  EXPECT_EQ(world.bound.size(), 1U);
}

// A crash every 20 s under changing overrides, for every gate: the router neither storms nor
// loses its way.
TEST(Control, DecidesABoundedNumberOfTimes) {
  for (const char* gate : {"none", "delta_only", "hash_only", "cooldown_only", "params_hash",
                           "validity", "validity_safe"}) {
    ScriptedWorld world(small_fleet(), std::string(R"({"gate": ")") + gate + R"("})");
    for (double t = 10.0; t < 200.0; t += 20.0) {
      const BackendId victim{static_cast<std::uint32_t>(t / 20.0) % 4};
      world.crash(victim, Seconds{t});
      world.restart(victim, Seconds{t + 10.0});
      world.at(Seconds{t + 5.0}, [&world, victim] {
        world.override_sampling(BackendId{victim.value ^ 1U}, stale());
      });
    }
    world.run_until(Seconds{260.0});
    EXPECT_LT(world.decisions.size(), 400U) << gate;
    EXPECT_LT(world.bound.size(), 100U) << gate;
    EXPECT_TRUE(world.dispatcher.choose(kPool).has_value()) << gate;
  }
}

}  // namespace
}  // namespace specroute::sim
