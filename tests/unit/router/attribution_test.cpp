// What earns a `validity` lock, to the window: the router's side of the property tests.
#include <gtest/gtest.h>

#include "tests/unit/router/event_stream.hpp"

namespace specroute::router::test {
namespace {

constexpr std::string_view kTenSeconds =
    R"({"gate": "validity", "cool_down_s": 10, "no_draft_s": 5, "retry_s": 1})";

/// After the fail-over at 100 s; pairing 2 serves draft 2 on target 7.
Stream failed_over() {
  Stream stream(kTenSeconds);
  stream.fail_over(SRP_FORWARD_TOKENS);
  return stream;
}

void serve_each_second(Stream& stream, int from_s, int to_s) {
  for (int at = from_s; at <= to_s; ++at) {
    auto seen = window(at, 2, 943);
    seen.from = seconds(at - 1);
    stream.send(seen);
  }
}

srp_ev_sampling sampling(double at_s, std::uint64_t params, std::uint64_t incarnation = 1) {
  auto told = event<srp_ev_sampling>(SRP_EV_SAMPLING, at_s, 0);
  told.profile = profile();
  told.side = side(kDraft, params, SRP_LIVE);
  told.side.incarnation = incarnation;
  return told;
}

TEST(Attribution, EarnsALockOneCoolDownAfterTheFailover) {
  auto stream = failed_over();
  serve_each_second(stream, 101, 109);
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  serve_each_second(stream, 110, 110);
  EXPECT_EQ(stream.count(SRP_LOCK), 1U);
}

TEST(Attribution, OfARebindBeginsWithItWhateverPeriodAWindowClaims) {
  auto stream = failed_over();
  stream.send(bind(120, 3, 20, kNewTarget));
  for (const int at : {121, 129}) {
    auto seen = window(at, 3, 943);
    seen.draft = side(20, kWanted, SRP_LIVE);
    seen.from = 0;
    stream.send(seen);
  }
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  auto seen = window(130, 3, 943);
  seen.draft = side(20, kWanted, SRP_LIVE);
  stream.send(seen);
  EXPECT_EQ(stream.count(SRP_LOCK), 1U);
}

TEST(Attribution, IsLostToNewsThatThePairDiffersThoughNoWindowShowsIt) {
  auto stream = failed_over();
  serve_each_second(stream, 101, 105);
  stream.send(sampling(105.2, kStale));
  stream.send(sampling(105.8, kWanted));
  serve_each_second(stream, 106, 115);
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  serve_each_second(stream, 116, 116);
  EXPECT_EQ(stream.count(SRP_LOCK), 1U);
}

TEST(Attribution, StartsAgainWithARestartThatIsToldOfBeforeItsFirstWindow) {
  auto stream = failed_over();
  serve_each_second(stream, 101, 105);
  stream.send(sampling(105, kWanted, 2));
  for (int at = 106; at <= 114; ++at) {
    auto seen = window(at, 2, 943);
    seen.draft.incarnation = 2;
    stream.send(seen);
  }
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
}

TEST(Attribution, IsNotCreditedForTimeThatAnUnverifiedWindowCovers) {
  auto stream = failed_over();
  auto claimed = window(105, 2, 943);
  claimed.draft.known = 0;
  claimed.draft.incarnation = 1;
  claimed.target.tokenizer = 12;
  stream.send(claimed);
  for (int at = 106; at <= 114; ++at) {
    auto seen = window(at, 2, 943);
    seen.from = seconds(100);
    stream.send(seen);
  }
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
}

TEST(Attribution, EndsWithATimeWithoutDrafts) {
  auto stream = failed_over();
  // Told of a spare that is away, the policy has nobody to re-bind to.
  auto spare = event<srp_ev_candidate>(SRP_EV_CANDIDATE, 100, 0);
  spare.side = side(20, kWanted, SRP_LIVE);
  spare.role = SRP_REPLACE_DRAFT;
  spare.profile = kProfile;
  stream.send(spare);
  serve_each_second(stream, 101, 104);
  auto stale = window(105, 2, 943);
  stale.draft = side(kDraft, kStale, SRP_LIVE);
  stream.send(stale);
  ASSERT_EQ(stream.type(), SRP_NO_DRAFT);
  serve_each_second(stream, 106, 115);  // the first of these ends it
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  serve_each_second(stream, 116, 116);
  EXPECT_EQ(stream.count(SRP_LOCK), 1U);
}

/// Dates begin at 0 in a simulation, and 0 is how the router writes "not attributed".
TEST(Attribution, BeginsOnceWhereTheFirstWindowBeginsAtDateZero) {
  Stream stream(R"({"gate": "none", "min_drafted": 1500})");
  stream.send(bind(0, 1, kDraft, kNewTarget));
  auto first = window(0, 1, 200);
  stream.send(first);
  first.h.now = first.to = seconds(1);
  first.accepted = 400;
  stream.send(first);
  ASSERT_EQ(stream.type(), SRP_LOCK);
  EXPECT_EQ(stream.said.back().reward_ppm, 300'000);  // of both windows
}

srp_ev_window on_stale(double at, std::uint64_t accepted, std::uint32_t provenance = SRP_LIVE) {
  auto seen = window(at, 2, accepted);
  seen.draft = side(kDraft, kStale, SRP_LIVE);
  seen.target = side(kNewTarget, kStale, provenance);
  return seen;
}

/// Both sides agree on parameters that are not the profile's: consistently wrong, whatever they
/// accept, for however long.
TEST(Attribution, IsNeverOfAPairOffItsProfile) {
  auto stream = failed_over();
  for (int at = 101; at <= 140; ++at) stream.send(on_stale(at, 943));
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  EXPECT_EQ(stream.reason(), "off_profile");
}

/// Nor does the time that a pair was off its profile count for the proof of the time after.
TEST(Attribution, BeginsWhereAPairReturnsToItsProfile) {
  auto stream = failed_over();
  for (int at = 101; at <= 109; ++at) stream.send(on_stale(at, 943));
  serve_each_second(stream, 110, 118);
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  serve_each_second(stream, 119, 119);  // ten seconds after 109, the end of the last one off it
  EXPECT_EQ(stream.count(SRP_LOCK), 1U);
}

/// A window that does not repeat what its profile asks for takes nothing back.
TEST(Attribution, OfAProfileOutlastsWindowsThatDoNotStateIt) {
  auto stream = failed_over();
  for (int at = 101; at <= 140; ++at) {
    auto seen = on_stale(at, 943);
    seen.profile.required_v1 = seen.profile.required_v2 = 0;
    stream.send(seen);
  }
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
}

/// What the engines reported before a counter fell is of another life of theirs.
TEST(Attribution, IsNotOfFingerprintsReportedBeforeACounterFell) {
  auto stream = failed_over();
  serve_each_second(stream, 101, 102);
  const auto silent = [&stream](double at, std::uint32_t flags) {
    auto seen = window(at, 2, 943);
    seen.from = seconds(at - 1);
    seen.draft.known = seen.target.known = 0;
    seen.window_flags = flags;
    stream.send(seen);
  };
  silent(103, SRP_WIN_COUNTER_RESET);
  for (int at = 104; at <= 130; ++at) silent(at, 0);
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  serve_each_second(stream, 131, 139);
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  serve_each_second(stream, 140, 140);
  EXPECT_EQ(stream.count(SRP_LOCK), 1U);
}

/// One side's report is no report of the other's, however long the other is only claimed.
TEST(Attribution, IsNotOfAPairWhoseDraftAloneIsVerified) {
  auto stream = failed_over();
  for (int at = 101; at <= 140; ++at) {
    auto seen = window(at, 2, 943);
    seen.target.provenance = SRP_CLAIMED;
    stream.send(seen);
  }
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  EXPECT_EQ(stream.reason(), "fingerprint_unknown");
}

/// The pair differed from 105.2 to 105.8 s, of which the window from 105 to 106 s says nothing.
TEST(Attribution, LeavesOutTheWindowThatBeganBeforeIt) {
  Stream stream(R"({"gate": "validity", "cool_down_s": 0.7, "min_drafted": 1500})");
  stream.fail_over(SRP_FORWARD_TOKENS);
  serve_each_second(stream, 101, 104);
  stream.send(sampling(105.2, kStale));
  stream.send(sampling(105.8, kWanted));
  stream.said.clear();
  auto of_both = window(106, 2, 1000);
  of_both.from = seconds(105);
  stream.send(of_both);
  serve_each_second(stream, 107, 108);
  ASSERT_EQ(stream.type(), SRP_LOCK);
  EXPECT_EQ(stream.said.back().reward_ppm, 943'000);  // of the latter two
}

/// The literal reading asks the draft, not the profile: the rise is taken for a gain. Such windows
/// are invalid to a baseline all the same, and those that are not verified are left out.
TEST(Attribution, InTheLiteralReadingLeavesOutWhatWasNotVerified) {
  Stream stream(R"({"gate": "validity", "cool_down_s": 10, "rebind": "match_draft"})");
  stream.fail_over(SRP_FORWARD_TOKENS);
  auto unknown = on_stale(101, 0, SRP_CLAIMED);
  unknown.drafted = 50;
  unknown.target.known = 0;
  stream.send(unknown);
  for (const int at : {102, 112}) {
    auto seen = on_stale(at, 90);
    seen.drafted = 100;
    stream.send(seen);
  }
  ASSERT_EQ(stream.type(), SRP_LOCK);
  EXPECT_EQ(stream.said.back().reward_ppm, 900'000);  // 180 of 200, not of 250
}

TEST(Attribution, OfAFailoverToldLateLeavesOutWhatWasServedBefore) {
  Stream stream(R"({"gate": "delta_only", "cool_down_s": 10, "min_drafted": 1500})");
  stream.send(bind(0, 1, kDraft, kNewTarget));
  stream.send(window(1, 1, 400));
  stream.send(window(2, 1, 400));
  stream.send(window(3, 1, 0));  // not judged yet
  stream.send(failover(4, 9, 1));
  stream.send(window(5, 1, 500));
  stream.said.clear();
  stream.send(window(6, 1, 500));
  ASSERT_EQ(stream.type(), SRP_LOCK);
  EXPECT_EQ(stream.said.back().reward_ppm, 500'000);
}

}  // namespace
}  // namespace specroute::router::test
