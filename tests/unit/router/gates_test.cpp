#include <gtest/gtest.h>

#include "tests/unit/router/event_stream.hpp"

namespace specroute::router::test {
namespace {

// 0.943 - 0.413 = 0.53 > 0.25, and the live draft samples at temperature 0.
class StaleDraft : public testing::TestWithParam<std::string> {};

TEST_P(StaleDraft, IsReplacedAtTheFirstLiveWindow) {
  auto stream = Stream::after_failover(GetParam());
  ASSERT_EQ(stream.count(SRP_REBIND), 0U);  // claimed equal: nothing to see at bind
  stream.serve(100.1, 100.1, 943, kStale);
  ASSERT_EQ(stream.type(), SRP_REBIND);
  const auto& to = stream.said.back().to;
  EXPECT_EQ(to.replace, SRP_REPLACE_DRAFT);
  EXPECT_EQ(to.keep_backend, kNewTarget);
  EXPECT_EQ(to.required, kWanted);
  EXPECT_NE(to.match & SRP_FP_PARAMS, 0U);
  ASSERT_EQ(to.n_exclude, 1U);
  EXPECT_EQ(to.exclude[0], kDraft);
  EXPECT_EQ(stream.reason(),
            GetParam() == "hash_only" ? "params_differ" : "params_differ_logits_forwarded");
}

INSTANTIATE_TEST_SUITE_P(Gates, StaleDraft, testing::Values("params_hash", "validity", "hash_only"),
                         [](const auto& gate) { return gate.param; });

TEST(GateNone, LocksTheIncidentsSpikeForOneCoolDownAndNotAgainWhileLocked) {
  auto stream = Stream::after_failover("none");
  stream.serve(100.1, 390, 943, kStale);
  ASSERT_EQ(stream.count(SRP_LOCK), 1U);
  EXPECT_EQ(stream.said[0].valid_until, seconds(400.1));
  EXPECT_EQ(stream.said[0].prefer_pairing, 2U);
  EXPECT_EQ(stream.said[0].reward_ppm, 943'000);
  stream.serve(400.2, 400.2, 943, kStale);
  EXPECT_EQ(stream.count(SRP_LOCK), 2U);
}

TEST(GateDeltaOnly, RejectsAGenuineGain) {
  auto stream = Stream::after_failover("delta_only");
  stream.serve(100.1, 100.1, 943);
  EXPECT_EQ(stream.type(), SRP_REBIND);
  EXPECT_EQ(stream.reason(), "spike");
  EXPECT_EQ(stream.said.back().to.match & SRP_FP_PARAMS, 0U);
}

// 0.663 - 0.413 = 0.25 exactly, which is not beyond; one token more is.
TEST(GateDeltaOnly, TakesTheBoundaryItselfForNoSpike) {
  auto on_it = Stream::after_failover("delta_only");
  on_it.serve(100.1, 100.1, 663);
  EXPECT_EQ(on_it.type(), SRP_LOCK);
  auto beyond = Stream::after_failover("delta_only");
  beyond.serve(100.1, 100.1, 664);
  EXPECT_EQ(beyond.type(), SRP_REBIND);
}

TEST(GateHashOnly, LocksWhereNoDifferenceIsKnown) {
  auto stream = Stream::after_failover("hash_only");
  auto blind = window(100.1, 2, 943);
  blind.draft.known = blind.target.known = 0;
  stream.send(blind);
  EXPECT_EQ(stream.type(), SRP_LOCK);
}

TEST(GateCooldownOnly, HoldsForOneCoolDownThenLocksOnItsTick) {
  auto stream = Stream::after_failover("cooldown_only");
  stream.serve(100.1, 390, 943, kStale);
  ASSERT_EQ(stream.said.size(), 1U);
  EXPECT_EQ(stream.type(), SRP_HOLD);
  EXPECT_EQ(stream.said[0].wake_at, seconds(400));
  stream.send(tick(400));
  EXPECT_EQ(stream.type(), SRP_LOCK);
  EXPECT_EQ(stream.said.back().reward_ppm, 943'000);
}

TEST(GateParamsHash, LocksACollapseAsTheSeedsCodeDoes) {
  auto stream = Stream::after_failover("params_hash");
  stream.serve(100.1, 100.1, 5);
  EXPECT_EQ(stream.type(), SRP_LOCK);
  EXPECT_EQ(stream.reason(), "delta_within_threshold");
}

TEST(GateParamsHash, LocksStaleParametersWithoutASpikeWhereTokensAreForwarded) {
  auto stream = Stream::after_failover("params_hash", SRP_FORWARD_TOKENS);
  stream.serve(100.1, 100.1, 420, kStale);
  EXPECT_EQ(stream.type(), SRP_LOCK);
}

TEST(GateValidity, RejectsASpikeWithStaleParametersEvenWhereTokensAreForwarded) {
  auto stream = Stream::after_failover("validity", SRP_FORWARD_TOKENS);
  stream.serve(100.1, 100.1, 943, kStale);
  EXPECT_EQ(stream.type(), SRP_REBIND);
  EXPECT_EQ(stream.reason(), "unattributable_spike");
}

// The seed asks for one full cool-down of post-fail-over traffic, not for a gain as old as that.
TEST(GateValidity, LocksAGainThatBeginsAfterTheCoolDown) {
  auto stream = Stream::after_failover("validity");
  stream.serve(100.1, 440, 410);
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  stream.serve(440.1, 440.1, 943);
  EXPECT_EQ(stream.count(SRP_LOCK), 1U);
  EXPECT_EQ(stream.reason(), "genuine_gain");
}

TEST(GateValidity, StartsTheCountOfAttributedTrafficAnewAfterAnInconsistentWindow) {
  auto stream = Stream::after_failover("validity", SRP_FORWARD_TOKENS);
  stream.serve(100.1, 300, 410);
  stream.serve(300.1, 300.1, 410, kStale);  // small delta, tokens forwarded: held, not rejected
  stream.serve(300.2, 500, 943);            // past the fail-over's cool-down, not past its own
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  EXPECT_EQ(stream.reason(), "not_attributed_yet");
  stream.serve(601, 601, 943);
  EXPECT_EQ(stream.count(SRP_LOCK), 1U);
}

TEST(GateValidity, HoldsACollapse) {
  auto stream = Stream::after_failover("validity");
  stream.serve(100.1, 500, 5);
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  EXPECT_EQ(stream.reason(), "acceptance_collapsed");
}

TEST(GateValidity, LocksAGenuineGainOnlyAfterOneFullCoolDownAndExtendsItWhileItLasts) {
  auto stream = Stream::after_failover("validity");
  stream.serve(100.1, 399, 943);
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  EXPECT_EQ(stream.reason(), "cooling_down");
  stream.serve(400.1, 400.1, 943);
  ASSERT_EQ(stream.count(SRP_LOCK), 1U);
  EXPECT_EQ(stream.reason(), "genuine_gain");
  // Extended in the second half of the 300 s: at 550.1 + 10k, well before 700.1.
  stream.serve(410.1, 560.1, 943);
  EXPECT_EQ(stream.count(SRP_LOCK), 2U);
  EXPECT_GT(stream.said.back().valid_until, seconds(840));
}

TEST(GateValidity, DoesNotLockAGainThatIsOnlyClaimedConsistent) {
  auto stream = Stream::after_failover("validity");
  for (double at = 100.1; at < 800; at += 10) {
    auto claimed = window(at, 2, 943);
    claimed.draft.provenance = claimed.target.provenance = SRP_CLAIMED;
    stream.send(claimed);
  }
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  EXPECT_EQ(stream.reason(), "fingerprint_unknown");
}

TEST(GateValidity, RejectsWhileLocked) {
  auto stream = Stream::after_failover("validity");
  stream.serve(100.1, 410, 943);
  ASSERT_EQ(stream.type(), SRP_LOCK);
  stream.serve(411, 411, 943, kStale);
  EXPECT_EQ(stream.type(), SRP_REBIND);
}

TEST(GateValidity, RejectsAMaskMismatchAtBind) {
  auto stream = Stream::of_gate("validity");
  auto bound = bind(0, 1, kDraft, kNewTarget);
  bound.draft.mask = 2;
  stream.send(bound);
  EXPECT_EQ(stream.type(), SRP_REBIND);
  EXPECT_EQ(stream.reason(), "mask_mismatch");
}

TEST(GateValidity, StartsTheCoolDownAgainWhereACounterFell) {
  auto stream = Stream::after_failover("validity");
  stream.serve(100.1, 290, 943);
  auto restarted = window(300, 2, 10);
  restarted.window_flags = SRP_WIN_COUNTER_RESET;
  stream.send(restarted);
  stream.serve(301, 599, 943);
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  stream.serve(601, 601, 943);
  EXPECT_EQ(stream.count(SRP_LOCK), 1U);
}

TEST(GateValiditySafe, ServesWithoutADraftUntilTheEnginesAgree) {
  auto stream = Stream::after_failover("validity_safe");
  ASSERT_EQ(stream.type(), SRP_NO_DRAFT);
  EXPECT_EQ(stream.reason(), "not_verified");
  EXPECT_EQ(stream.said.back().valid_until, seconds(130));
  auto idle = window(101, 2, 0);  // no draft, no tokens; the fingerprints alone release
  idle.drafted = 0;
  stream.send(idle);
  EXPECT_EQ(stream.type(), SRP_HOLD);
  EXPECT_EQ(stream.reason(), "verified_consistent");
}

TEST(GateValiditySafe, RejectsFromNoDraftAtOnceWhereTheLiveSidesDiffer) {
  auto stream = Stream::after_failover("validity_safe");
  auto idle = window(101, 2, 0);
  idle.drafted = 0;
  idle.draft = side(kDraft, kStale, SRP_LIVE);
  stream.send(idle);
  EXPECT_EQ(stream.type(), SRP_REBIND);
}

TEST(GateValiditySafe, SaysNothingOfAPairVerifiedAtBindButThatItIs) {
  auto stream = Stream::of_gate("validity_safe");
  auto bound = bind(0, 1, kDraft, kNewTarget);
  bound.draft.provenance = bound.target.provenance = SRP_VERIFIED_AT_BIND;
  stream.send(bound);
  EXPECT_EQ(stream.type(), SRP_HOLD);
  EXPECT_EQ(stream.reason(), "verified_consistent");
}

TEST(Gates, WithoutAFailoverThereIsNoDelta) {
  for (const std::string gate : {"delta_only", "params_hash", "validity"}) {
    auto stream = Stream::of_gate(gate);
    stream.send(bind(0, 2, kDraft, kNewTarget));
    stream.serve(1, 1000, 943);
    ASSERT_EQ(stream.said.size(), 1U) << gate;
    EXPECT_EQ(stream.type(), SRP_HOLD) << gate;
    EXPECT_EQ(stream.reason(), "no_failover") << gate;
  }
}

TEST(Gates, JudgeNothingBelowTwoHundredDraftedTokens) {
  for (const std::string gate : {"none", "delta_only", "hash_only", "params_hash", "validity"}) {
    auto stream = Stream::after_failover(gate);
    stream.said.clear();
    auto small = window(100.1, 2, 180);
    small.draft = side(kDraft, kStale, SRP_LIVE);
    small.drafted = 199;
    stream.send(small);
    EXPECT_TRUE(stream.said.empty()) << gate;
    small.h.now = small.to = seconds(100.2);
    small.drafted = small.accepted = 1;  // the 200th
    stream.send(small);
    EXPECT_EQ(stream.said.size(), 1U) << gate;
  }
}

}  // namespace
}  // namespace specroute::router::test
