#include <gtest/gtest.h>

#include "tests/unit/router/event_stream.hpp"

namespace specroute::router::test {
namespace {

TEST(Rebind, IsSaidOnceWhileTheHostCarriesItOut) {
  auto stream = Stream::after_failover("validity");
  for (int i = 0; i < 90; ++i) {
    auto seen = window(100.1 + 0.05 * i, 2, 943);
    seen.draft = side(kDraft, kStale, SRP_LIVE);
    stream.send(seen);
  }
  EXPECT_EQ(stream.count(SRP_REBIND), 1U);
  stream.serve(106, 106, 943, kStale);  // past retry_s = 5
  EXPECT_EQ(stream.count(SRP_REBIND), 2U);
}

TEST(Rebind, WithoutACandidateFallsBackToNoDraftAndTriesAgain) {
  auto stream = Stream::after_failover("params_hash");
  stream.serve(100.1, 100.1, 943, kStale);
  const auto id = stream.said.back().id;
  stream.send(outcome(100.2, id, SRP_DECLINED_NO_CANDIDATE));
  ASSERT_EQ(stream.type(), SRP_NO_DRAFT);
  EXPECT_EQ(stream.said.back().valid_until, seconds(130.2));
  stream.serve(110, 120, 943, kStale);  // in flight: nothing new
  EXPECT_EQ(stream.type(), SRP_NO_DRAFT);
  stream.send(tick(130.2));
  EXPECT_EQ(stream.reason(), "no_draft_expired");
  stream.serve(131, 131, 943, kStale);
  EXPECT_EQ(stream.type(), SRP_REBIND);
}

TEST(Rebind, OfDeltaOnlyWithoutACandidateHolds) {
  auto stream = Stream::after_failover("delta_only");
  stream.serve(100.1, 100.1, 943);
  stream.send(outcome(100.2, stream.said.back().id, SRP_DECLINED_NO_CANDIDATE));
  EXPECT_EQ(stream.type(), SRP_HOLD);
  EXPECT_EQ(stream.reason(), "no_candidate");
}

TEST(Rebind, IsNotProposedWhereEveryKnownCandidateDiffers) {
  auto stream = Stream::after_failover("validity");
  auto spare = event<srp_ev_candidate>(SRP_EV_CANDIDATE, 100, 0);
  spare.side = side(20, kStale, SRP_LIVE);
  spare.role = SRP_REPLACE_DRAFT;
  spare.available = 1;
  spare.profile = kProfile;
  stream.send(spare);
  stream.serve(100.1, 100.1, 943, kStale);
  EXPECT_EQ(stream.type(), SRP_NO_DRAFT);
  EXPECT_EQ(stream.reason(), "no_candidate");
}

TEST(Rebind, ReplacesTheTargetWhereTheTargetIsStale) {
  auto stream = Stream::after_failover("validity");
  auto seen = window(100.1, 2, 943);
  seen.target = side(kNewTarget, kStale, SRP_LIVE);
  stream.send(seen);
  ASSERT_EQ(stream.type(), SRP_REBIND);
  EXPECT_EQ(stream.said.back().to.replace, SRP_REPLACE_TARGET);
  EXPECT_EQ(stream.said.back().to.keep_backend, kDraft);
  EXPECT_EQ(stream.said.back().to.required, kWanted);
}

TEST(Rebind, ReadLiterallyAsksForATargetThatMatchesTheStaleDraft) {
  Stream stream(R"({"gate": "validity", "rebind": "match_draft"})");
  stream.fail_over();
  stream.serve(100.1, 100.1, 943, kStale);
  ASSERT_EQ(stream.type(), SRP_REBIND);
  EXPECT_EQ(stream.said.back().to.replace, SRP_REPLACE_TARGET);
  EXPECT_EQ(stream.said.back().to.required, kStale);
  // The host finds target 9 at temperature 0: after the fail-over's cool-down it is rewarded.
  auto bound = bind(101, 3, kDraft, 9);
  stream.send(bound);
  for (double at = 101.1; at < 420; at += 10) {
    auto seen = window(at, 3, 943);
    seen.draft = side(kDraft, kStale, SRP_LIVE);
    seen.target = side(9, kStale, SRP_LIVE);
    stream.send(seen);
  }
  ASSERT_EQ(stream.type(), SRP_LOCK);
  // The cool-down ran from the fail-over at 100 s: 401.1 is the first window after 400.
  EXPECT_EQ(stream.said.back().h.now, seconds(401.1));
}

TEST(Rebind, KeepsEarlierOffendersExcluded) {
  auto stream = Stream::after_failover("validity");
  stream.serve(100.1, 100.1, 943, kStale);
  stream.send(bind(101, 3, 20, kNewTarget));
  stream.send(event<srp_ev_unbind>(SRP_EV_UNBIND, 101, 2));
  auto seen = window(101.1, 3, 943);
  seen.draft = side(20, kStale, SRP_LIVE);
  stream.send(seen);
  ASSERT_EQ(stream.type(), SRP_REBIND);
  const auto& to = stream.said.back().to;
  ASSERT_EQ(to.n_exclude, 2U);
  EXPECT_EQ(to.exclude[0], kDraft);
  EXPECT_EQ(to.exclude[1], 20U);
}

TEST(Rebind, OntoAHealthyDraftIsHeldWithinTheThreshold) {
  auto stream = Stream::after_failover("validity");
  stream.serve(100.1, 100.1, 943, kStale);
  stream.send(bind(101, 3, 20, kNewTarget));
  auto seen = window(101.1, 3, 430);
  seen.draft = side(20, kWanted, SRP_LIVE);
  stream.send(seen);
  EXPECT_EQ(stream.reason(), "delta_within_threshold");
  EXPECT_EQ(stream.said.back().arg[0], 430'000 - 413'000);
}

TEST(Rebind, OfAShadowGateIsADryRun) {
  Stream stream(R"({"gate": "validity", "mode": "shadow"})");
  stream.fail_over();
  stream.serve(100.1, 100.1, 943, kStale);
  ASSERT_EQ(stream.type(), SRP_REBIND);
  EXPECT_EQ(stream.said.back().dry_run, 1U);
}

TEST(Baseline, StaysFrozenAtTheFailover) {
  // Half a minute at 0.5 after the fail-over does not move the 0.413 before it.
  auto stream = Stream::after_failover("validity");
  stream.serve(100.1, 130, 500);
  stream.serve(131, 131, 100);  // a collapse speaks, with its numbers
  EXPECT_EQ(stream.reason(), "acceptance_collapsed");
  EXPECT_EQ(stream.said.back().arg[2], 413'000);
}

TEST(Baseline, IgnoresInvalidWindows) {
  auto stream = Stream::of_gate("validity");
  stream.send(bind(0, 1, kDraft, kOldTarget));
  for (int i = 1; i < 100; ++i) {
    auto seen = window(i, 1, i % 2 == 0 ? 413 : 990);
    seen.target = side(kOldTarget, kWanted, SRP_LIVE);
    if (i % 2 == 1) seen.draft = side(kDraft, kStale, SRP_LIVE);
    stream.send(seen);
  }
  stream.send(failover(100, 1, 2));
  stream.send(bind(100, 2, kDraft, kNewTarget));
  stream.serve(100.1, 100.1, 420);
  EXPECT_EQ(stream.reason(), "delta_within_threshold");
  EXPECT_EQ(stream.said.back().arg[2], 413'000);
}

TEST(Baseline, PrefersTheExactPairWhereItWasEverSeenConsistent) {
  auto stream = Stream::of_gate("validity");
  stream.send(bind(0, 9, kDraft, kNewTarget));  // the pair that will come back
  for (int i = 1; i <= 5; ++i) stream.send(window(i, 9, 600));
  stream.send(event<srp_ev_unbind>(SRP_EV_UNBIND, 6, 9));
  stream.fail_over();
  stream.serve(100.1, 100.1, 640);
  EXPECT_EQ(stream.said.back().arg[2], 600'000);
}

TEST(Baseline, FallsBackToTheReplacedPairingsUnattributedWindows) {
  auto stream = Stream::of_gate("delta_only");
  stream.send(bind(0, 1, kDraft, kOldTarget));
  for (int i = 60; i < 100; ++i) {
    auto blind = window(i, 1, 413);
    blind.target = side(kOldTarget, kWanted, SRP_LIVE);
    blind.draft.known = blind.target.known = 0;  // claims only
    stream.send(blind);
  }
  stream.send(failover(100, 1, 2));
  stream.send(bind(100, 2, kDraft, kNewTarget));
  stream.serve(100.1, 100.1, 943);
  EXPECT_EQ(stream.reason(), "spike");
}

TEST(Baseline, UnknownEarnsNoReward) {
  auto stream = Stream::of_gate("params_hash");
  stream.send(failover(100, 1, 2));
  stream.send(bind(100, 2, kDraft, kNewTarget));
  stream.serve(100.1, 800, 943);
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  EXPECT_EQ(stream.reason(), "baseline_unknown");
}

TEST(Explain, GivesTheNumbers) {
  auto stream = Stream::after_failover("validity", SRP_FORWARD_TOKENS);
  stream.serve(100.1, 100.1, 943, kStale);
  EXPECT_EQ(stream.policy.explain(stream.said.back()),
            "validity: REBIND pairing 2, profile 1 (unattributable_spike): acceptance rose while "
            "the sampling parameters differ; delta 0.530 (acceptance 0.943); draft "
            "params=0a582a5ffabcb4ff target params=60b4daf1243ef008; replace draft backend 2, keep "
            "backend 7, match params=60b4daf1243ef008.");
}

}  // namespace
}  // namespace specroute::router::test
