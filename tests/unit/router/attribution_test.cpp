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

/// Both sides agree on parameters that are not the profile's: such windows are invalid to a
/// baseline, verified or not, but only those that are verified are rewarded.
TEST(Attribution, OfAPairOffItsProfileLeavesOutWhatWasNotVerified) {
  auto stream = failed_over();
  const auto off = [](double at, std::uint64_t drafted, std::uint64_t accepted,
                      std::uint32_t provenance) {
    auto seen = window(at, 2, accepted);
    seen.drafted = drafted;
    seen.draft = side(kDraft, kStale, SRP_LIVE);
    seen.target = side(kNewTarget, kStale, provenance);
    return seen;
  };
  auto unknown = off(101, 50, 0, SRP_CLAIMED);
  unknown.target.known = 0;
  stream.send(unknown);
  stream.send(off(102, 100, 90, SRP_LIVE));
  stream.send(off(112, 100, 90, SRP_LIVE));
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
