// Gates that quarantine: what trips each, what brings a pairing back, and what none of them sees.
#include <gtest/gtest.h>

#include <algorithm>

#include "router/recent.hpp"
#include "tests/unit/router/event_stream.hpp"

namespace specroute::router::test {
namespace {

/// Pairings 1..n of one profile: pairing p has draft 20 + p and target 40 + p.
class Fleet : public Stream {
 public:
  Fleet(const std::string& config, std::uint64_t pairings) : Stream(config) {
    for (std::uint64_t p = 1; p <= pairings; ++p) send(bind(0, p, 20 + p, 40 + p));
  }
  void serve(double at_s, std::uint64_t pairing, std::uint64_t accepted,
             std::uint64_t draft_params = kWanted) {
    auto seen = window(at_s, pairing, accepted);
    seen.draft = side(20 + pairing, draft_params, SRP_LIVE);
    seen.target = side(40 + pairing, kWanted, SRP_LIVE);
    send(seen);
  }
  /// All pairings but the last at `usual`, then that one at `odd`.
  void serve_all(double at_s, std::uint64_t pairings, std::uint64_t usual, std::uint64_t odd) {
    for (std::uint64_t p = 1; p < pairings; ++p) serve(at_s, p, usual);
    serve(at_s, pairings, odd);
  }
  /// Pairing 5 serves one more profile.
  void bind_other_profile(double at_s) {
    auto other = bind(at_s, 5, 25, 45);
    other.profile.id = kProfile + 1;
    send(other);
  }
  void serve_other_profile(double at_s, std::uint64_t accepted) {
    auto seen = window(at_s, 5, accepted);
    seen.profile.id = kProfile + 1;
    seen.draft = side(25, kWanted, SRP_LIVE);
    seen.target = side(45, kWanted, SRP_LIVE);
    send(seen);
  }
};

// n - 1 pairings at a and one d below: the mean is d / n below a, sigma = d sqrt(n - 1) / n, so the
// one is (d - d / n) / sigma = sqrt(n - 1) sigma below the mean, whatever d is. Five: 2 > 1.9.
TEST(GateOutlier, QuarantinesTheOneOfFiveThatFellAtAll) {
  for (const std::uint64_t fallen : {5U, 412U}) {
    Fleet fleet(R"({"gate": "outlier"})", 5);
    fleet.serve_all(1, 5, 413, fallen);
    ASSERT_EQ(fleet.type(), SRP_QUARANTINE) << fallen;
    EXPECT_EQ(fleet.reason(), "below_other_pairings");
    const auto& decision = fleet.said.back();
    EXPECT_EQ(decision.h.pairing, 5U);
    EXPECT_EQ(decision.valid_until, seconds(31));
    EXPECT_EQ(decision.wake_at, seconds(31));
  }
}

// sqrt(4 - 1) = 1.73 < 1.9: of four none ever could be, so none is judged.
TEST(GateOutlier, HoldsAmongFewerThanFive) {
  Fleet fleet(R"({"gate": "outlier"})", 4);
  fleet.serve_all(1, 4, 413, 5);
  EXPECT_EQ(fleet.count(SRP_QUARANTINE), 0U);
  EXPECT_EQ(fleet.reason(), "too_few_pairings");
}

// mean = (4 a + b) / 5 and b > a: above the mean, where nobody looks.
TEST(GateOutlier, RewardsTheIncidentsSpike) {
  Fleet fleet(R"({"gate": "outlier"})", 5);
  for (std::uint64_t p = 1; p < 5; ++p) fleet.serve(1, p, 413);
  fleet.serve(1, 5, 943, kStale);
  EXPECT_EQ(fleet.type(), SRP_LOCK);
  EXPECT_EQ(fleet.said.back().prefer_pairing, 5U);
  EXPECT_EQ(fleet.said.back().reward_ppm, 943'000);
}

// Ten pairings, a tenth of which is one: the second outlier may not go. Rates 413 x 8 and 5 among
// the nine that serve: sqrt(8) sigma below.
TEST(GateOutlier, EjectsNoMoreThanItsShare) {
  Fleet fleet(R"({"gate": "outlier"})", 10);
  for (std::uint64_t p = 1; p <= 8; ++p) fleet.serve(1, p, 413);
  fleet.serve(1, 10, 5);
  ASSERT_EQ(fleet.type(), SRP_QUARANTINE);
  fleet.serve(2, 9, 5);
  EXPECT_EQ(fleet.type(), SRP_HOLD);
  EXPECT_EQ(fleet.reason(), "ejection_limit");
  EXPECT_EQ(fleet.count(SRP_QUARANTINE), 1U);
}

// 30 s; released at 31 s and again far below at once: 2 x 30 s, then 3 x 30 s; and after 95 s of
// service three times are forgotten.
TEST(GateOutlier, EachQuarantineInARowIsLongerUntilServiceMakesUp) {
  Fleet fleet(R"({"gate": "outlier"})", 5);
  fleet.serve_all(1, 5, 413, 5);
  fleet.send(tick(31));
  EXPECT_EQ(fleet.type(), SRP_HOLD);
  EXPECT_EQ(fleet.reason(), "half_open");
  fleet.serve(31.1, 5, 5);
  ASSERT_EQ(fleet.type(), SRP_QUARANTINE);
  EXPECT_EQ(fleet.said.back().valid_until, seconds(91.1));
  fleet.send(tick(91.1));
  fleet.serve(91.2, 5, 5);
  EXPECT_EQ(fleet.said.back().valid_until, seconds(181.2));
  fleet.send(tick(181.2));
  fleet.serve(182, 5, 413);
  EXPECT_EQ(fleet.type(), SRP_LOCK);
  fleet.serve(276.3, 5, 5);
  ASSERT_EQ(fleet.type(), SRP_QUARANTINE);
  EXPECT_EQ(fleet.said.back().valid_until, seconds(306.3));
}

TEST(GateOutlier, IsNeverLongerThanTheLongest) {
  Fleet fleet(R"({"gate": "outlier", "quarantine_s": 30, "max_quarantine_s": 45})", 5);
  fleet.serve_all(1, 5, 413, 5);
  fleet.send(tick(31));
  fleet.serve(31, 5, 5);
  EXPECT_EQ(fleet.said.back().valid_until, seconds(76));
}

// What is in flight goes on to be reported while nothing new is sent.
TEST(Quarantine, IsNotJudgedMeanwhile) {
  Fleet fleet(R"({"gate": "outlier"})", 5);
  fleet.serve_all(1, 5, 413, 5);
  const std::size_t said = fleet.said.size();
  fleet.serve(2, 5, 943);
  EXPECT_EQ(fleet.said.size(), said);
  fleet.serve(31, 5, 413);  // its date has come, and the tick has not
  EXPECT_EQ(fleet.type(), SRP_LOCK);
}

TEST(Quarantine, ThatTheHostDeclinesIsProposedAgainLater) {
  Fleet fleet(R"({"gate": "outlier", "retry_s": 5})", 5);
  fleet.serve_all(1, 5, 413, 5);
  fleet.send(outcome(1, fleet.said.back().id, SRP_DECLINED_NO_CAPACITY));
  EXPECT_EQ(fleet.reason(), "quarantine_declined");
  const std::size_t said = fleet.said.size();
  fleet.serve(5.9, 5, 5);
  EXPECT_EQ(fleet.said.size(), said);
  fleet.serve(6, 5, 5);
  ASSERT_EQ(fleet.type(), SRP_QUARANTINE);
  EXPECT_EQ(fleet.said.back().valid_until, seconds(36)) << "a first time still";
}

// Twice in a row, then 31.1 s of service make up for one of them: 60 s again. The host declines,
// and what is proposed 5 s later is the same second time: that service counts once.
TEST(Quarantine, ThatTheHostDeclinesLeavesServiceCountedOnce) {
  Fleet fleet(R"({"gate": "outlier", "retry_s": 5})", 5);
  fleet.serve_all(1, 5, 413, 5);
  fleet.send(tick(31));
  fleet.serve(31.1, 5, 5);
  fleet.send(tick(91.1));
  fleet.serve(91.2, 5, 413);
  fleet.serve(122.2, 5, 5);
  ASSERT_EQ(fleet.type(), SRP_QUARANTINE);
  EXPECT_EQ(fleet.said.back().valid_until, seconds(182.2));
  fleet.send(outcome(122.2, fleet.said.back().id, SRP_DECLINED_NO_CAPACITY));
  fleet.serve(128, 5, 5);
  ASSERT_EQ(fleet.type(), SRP_QUARANTINE);
  EXPECT_EQ(fleet.said.back().valid_until, seconds(188));
}

TEST(Quarantine, ThatTheHostCarriesOutStands) {
  Fleet fleet(R"({"gate": "outlier"})", 5);
  fleet.serve_all(1, 5, 413, 5);
  EXPECT_EQ(fleet.send(outcome(1, fleet.said.back().id, SRP_DONE)), SRP_OK);
  EXPECT_EQ(fleet.type(), SRP_QUARANTINE);
}

// A quarantine is of the pairing: its other profile waits too, and both come back.
TEST(Quarantine, CoversEveryProfileOfThePairing) {
  Fleet fleet(R"({"gate": "error_breaker"})", 1);
  auto other = bind(0, 1, 21, 41);
  other.profile.id = kProfile + 1;
  fleet.send(other);
  fleet.send(health(1, 41, 10, 10));
  ASSERT_EQ(fleet.count(SRP_QUARANTINE), 1U);
  fleet.send(tick(31));
  EXPECT_EQ(fleet.count(SRP_HOLD), 2U);
}

// A HOLD for a profile that is bound meanwhile would end the host's quarantine of the pairing.
TEST(Quarantine, CoversAProfileThatIsBoundMeanwhile) {
  Fleet fleet(R"({"gate": "outlier"})", 5);
  fleet.serve_all(1, 5, 413, 5);
  ASSERT_EQ(fleet.type(), SRP_QUARANTINE);
  const std::size_t said = fleet.said.size();
  fleet.bind_other_profile(5);
  fleet.serve_other_profile(6, 413);
  EXPECT_EQ(fleet.said.size(), said);
  fleet.send(tick(31));
  EXPECT_EQ(fleet.said.size(), said + 2) << "both profiles come back";
  EXPECT_EQ(fleet.said.back().profile, kProfile + 1);
  EXPECT_EQ(fleet.reason(), "half_open");
}

// The next is the second in a row for whichever profile it is proposed of: 2 x 30 s.
TEST(Quarantine, IsOnProbationForAProfileThatIsBoundAfterIt) {
  Fleet fleet(R"({"gate": "error_breaker"})", 5);
  fleet.send(health(1, 45, 10, 10));
  fleet.send(tick(31));
  fleet.bind_other_profile(31.5);
  fleet.serve_other_profile(32, 413);
  EXPECT_EQ(fleet.count(SRP_LOCK), 0U);
  EXPECT_EQ(fleet.said.back().profile, kProfile + 1);
  EXPECT_EQ(fleet.reason(), "half_open");
  fleet.send(health(33, 45, 1, 1));
  ASSERT_EQ(fleet.type(), SRP_QUARANTINE);
  EXPECT_EQ(fleet.said.back().valid_until, seconds(93));
}

// Ten pairings, a tenth of which is one. The tenth's date has come, and the tick has not: another
// may go. Nine serve, and what the tenth was quarantined for is not among their rates.
TEST(Quarantine, IsOverForTheFleetWithItsDate) {
  Fleet fleet(R"({"gate": "outlier"})", 10);
  for (std::uint64_t p = 1; p <= 9; ++p) fleet.serve(1, p, 413);
  fleet.serve(1, 10, 5);
  ASSERT_EQ(fleet.type(), SRP_QUARANTINE);
  fleet.serve(32, 9, 5);
  ASSERT_EQ(fleet.type(), SRP_QUARANTINE);
  EXPECT_EQ(fleet.said.back().h.pairing, 9U);
  EXPECT_EQ(fleet.said.back().arg[3], 9);
}

// 5 of 10 is half, which is not more than half; 6 of 11 is.
TEST(GateErrorBreaker, TripsBeyondItsShare) {
  Fleet fleet(R"({"gate": "error_breaker"})", 1);
  EXPECT_EQ(fleet.send(health(1, 41, 10, 3, 2)), SRP_OK);
  EXPECT_TRUE(fleet.said.empty());
  fleet.send(health(2, 41, 1, 1));
  ASSERT_EQ(fleet.type(), SRP_QUARANTINE);
  EXPECT_EQ(fleet.reason(), "too_many_failures");
  EXPECT_EQ(fleet.said.back().arg[1], 6);
  EXPECT_EQ(fleet.said.back().arg[2], 11);
}

TEST(GateErrorBreaker, WaitsForEnoughRequests) {
  Fleet fleet(R"({"gate": "error_breaker"})", 1);
  fleet.send(health(1, 41, 9, 9));
  EXPECT_TRUE(fleet.said.empty());
}

// 60 s in slots of 10 s: at 71 s the slots from 20 s on count, so the nine of 5 s are gone.
TEST(GateErrorBreaker, ForgetsWhatIsOlderThanItsWindow) {
  Fleet fleet(R"({"gate": "error_breaker"})", 1);
  fleet.send(health(5, 41, 9, 9));
  fleet.send(health(71, 41, 1, 1));
  EXPECT_TRUE(fleet.said.empty());
}

TEST(GateErrorBreaker, ReadsTargetsOnly) {
  Fleet fleet(R"({"gate": "error_breaker"})", 1);
  EXPECT_EQ(fleet.send(health(1, 21, 10, 10)), SRP_IGNORED);
  EXPECT_TRUE(fleet.said.empty());
}

// Half open: two good requests are too few, the third closes; a failure among them re-opens.
TEST(GateErrorBreaker, IsClosedByTheFirstRequestsOrOpenedAgain) {
  Fleet fleet(R"({"gate": "error_breaker"})", 1);
  fleet.send(health(1, 41, 10, 10));
  fleet.send(tick(31));
  fleet.serve(31.5, 1, 413);
  EXPECT_EQ(fleet.count(SRP_LOCK), 0U);
  fleet.send(health(32, 41, 2, 0));
  EXPECT_EQ(fleet.reason(), "half_open");
  fleet.send(health(33, 41, 1, 1));
  ASSERT_EQ(fleet.type(), SRP_QUARANTINE);
  EXPECT_EQ(fleet.reason(), "probe_failed");
  EXPECT_EQ(fleet.said.back().valid_until, seconds(93));
  fleet.send(tick(93));
  fleet.send(health(94, 41, 3, 0));
  EXPECT_EQ(fleet.reason(), "probe_passed");
  fleet.send(health(95, 41, 1, 1));  // closed: one failure of four is tolerable
  fleet.serve(96, 1, 413);
  EXPECT_EQ(fleet.type(), SRP_LOCK);
}

// Of 500 requests in one report nobody knows which were first, and 1 of 500 is not more than half.
TEST(GateErrorBreaker, JudgesALargeFirstReportByItsShare) {
  for (const std::uint64_t failed : {1U, 250U, 251U}) {
    Fleet fleet(R"({"gate": "error_breaker"})", 1);
    fleet.send(health(1, 41, 10, 10));
    fleet.send(tick(31));
    fleet.send(health(32, 41, 500, failed));
    EXPECT_EQ(fleet.reason(), failed > 250 ? "too_many_failures" : "probe_passed") << failed;
    EXPECT_EQ(fleet.count(SRP_QUARANTINE), failed > 250 ? 2U : 1U) << failed;
  }
}

// As many as are asked for, and not more: each of them has to be well.
TEST(GateErrorBreaker, ForgivesNoneOfTheFirstRequests) {
  Fleet fleet(R"({"gate": "error_breaker"})", 1);
  fleet.send(health(1, 41, 10, 10));
  fleet.send(tick(31));
  fleet.send(health(32, 41, 3, 1));
  EXPECT_EQ(fleet.reason(), "probe_failed");
}

// Its date has come, and the tick has not: the report is of the released target, as a window is.
TEST(GateErrorBreaker, IsReleasedByAReportAfterItsDate) {
  Fleet fleet(R"({"gate": "error_breaker"})", 1);
  fleet.send(health(1, 41, 10, 10));
  EXPECT_EQ(fleet.send(health(30, 41, 3, 0)), SRP_IGNORED);
  EXPECT_EQ(fleet.send(health(31, 41, 3, 0)), SRP_OK);
  ASSERT_EQ(fleet.last.size(), 2U);
  EXPECT_EQ(fleet.policy.reason_code(fleet.last[0]), "half_open");
  EXPECT_EQ(fleet.policy.reason_code(fleet.last[1]), "probe_passed");
}

// An event makes two decisions at most: of three that it could release, the rest with the next.
TEST(GateErrorBreaker, ReleasesNoMoreThanThereIsRoomFor) {
  Stream stream(R"({"gate": "error_breaker"})");
  for (std::uint64_t p = 1; p <= 3; ++p) stream.send(bind(0, p, 20 + p, kNewTarget));
  stream.send(health(1, kNewTarget, 10, 10));
  stream.send(health(2, kNewTarget, 0, 0));
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(stream.send(health(40 + i, kNewTarget, 1, 0)), SRP_OK);
    EXPECT_LE(stream.last.size(), 2U);
  }
  for (std::uint64_t p = 1; p <= 3; ++p)
    EXPECT_EQ(std::count_if(stream.said.begin(), stream.said.end(),
                            [&](const srp_decision& decision) {
                              return decision.h.pairing == p &&
                                     stream.policy.reason_code(decision) == "half_open";
                            }),
              1)
        << p;
}

TEST(GateErrorBreaker, RewardsAStalePairThatAnswers) {
  Fleet fleet(R"({"gate": "error_breaker"})", 1);
  fleet.send(health(1, 41, 1000, 0));
  fleet.serve(1.1, 1, 943, kStale);
  EXPECT_EQ(fleet.type(), SRP_LOCK);
}

// An event makes two decisions at most: the third pairing of one target speaks with the next.
TEST(GateErrorBreaker, SaysTheRestWithTheNextReport) {
  Stream stream(R"({"gate": "error_breaker"})");
  for (std::uint64_t p = 1; p <= 3; ++p) stream.send(bind(0, p, 20 + p, kNewTarget));
  stream.send(health(1, kNewTarget, 10, 10));
  EXPECT_EQ(stream.last.size(), 2U);
  stream.send(health(2, kNewTarget, 0, 0));
  ASSERT_EQ(stream.last.size(), 1U);
  EXPECT_EQ(stream.last[0].h.pairing, 3U);
}

TEST(GateErrorBreaker, RefusesCountsThatCannotBe) {
  Fleet fleet(R"({"gate": "error_breaker"})", 1);
  EXPECT_EQ(fleet.send(health(1, 41, 10, 11)), SRP_E_ARG);
  EXPECT_EQ(fleet.send(health(1, 41, 10, 6, 5)), SRP_E_ARG);
  EXPECT_EQ(fleet.send(health(1, 41, UINT64_MAX, 0)), SRP_E_ARG);
}

// p0 = .05, n = 100: 5 tolerated, sigma = sqrt(100 x .05 x .95) = 2.18, so 3 sigma is 11.54.
TEST(GateQualityProbe, TripsWhereTheShareIsSurelyAboveTheTolerated) {
  for (const std::uint64_t bad : {11U, 12U}) {
    Fleet fleet(R"({"gate": "quality_probe"})", 1);
    fleet.send(quality(1, 1, 100, bad - 4, 4));
    EXPECT_EQ(fleet.count(SRP_QUARANTINE), bad > 11 ? 1U : 0U) << bad;
    if (bad <= 11) continue;
    EXPECT_EQ(fleet.reason(), "too_many_degraded");
    EXPECT_EQ(fleet.said.back().arg[0], 120'000);
    EXPECT_EQ(fleet.said.back().arg[3], 50'000);
  }
}

TEST(GateQualityProbe, RewardsNothingBeforeEnoughWasRead) {
  Fleet fleet(R"({"gate": "quality_probe"})", 1);
  fleet.serve(1, 1, 413);
  EXPECT_EQ(fleet.reason(), "too_few_verdicts");
  fleet.send(quality(2, 1, 49, 49));
  EXPECT_EQ(fleet.type(), SRP_HOLD);
  fleet.send(quality(3, 1, 1, 0));
  EXPECT_EQ(fleet.type(), SRP_QUARANTINE);
}

// 2 of 100 is within the tolerated; what a stale pair's acceptance is, is not looked at.
TEST(GateQualityProbe, RewardsAnyAcceptanceOnceTheTextIsWell) {
  Fleet fleet(R"({"gate": "quality_probe"})", 1);
  fleet.send(quality(1, 1, 100, 2));
  EXPECT_TRUE(fleet.said.empty());
  fleet.serve(1.1, 1, 943, kStale);
  EXPECT_EQ(fleet.type(), SRP_LOCK);
}

TEST(GateQualityProbe, JudgesAReleasedPairingOnFreshVerdicts) {
  Fleet fleet(R"({"gate": "quality_probe"})", 1);
  fleet.send(quality(1, 1, 100, 50));
  EXPECT_EQ(fleet.send(quality(2, 1, 100, 50)), SRP_IGNORED) << "of what was in flight";
  fleet.send(tick(31));
  fleet.send(quality(32, 1, 49, 0));
  EXPECT_EQ(fleet.reason(), "half_open");
  fleet.send(quality(33, 1, 1, 0));
  EXPECT_EQ(fleet.reason(), "probe_passed");
}

TEST(GateQualityProbe, RefusesCountsThatCannotBe) {
  Fleet fleet(R"({"gate": "quality_probe"})", 1);
  EXPECT_EQ(fleet.send(quality(1, 1, 10, 11)), SRP_E_ARG);
  EXPECT_EQ(fleet.send(quality(1, 1, 10, 0, 11)), SRP_E_ARG);
}

// 6 slots of 10 ns; a slot of 2^24 is halved and keeps its share.
TEST(RecentOutcomes, HoldSixSlotsAndTheirShares) {
  Tally tally{};
  count_recent(tally, {4, 1}, 5, 60);
  count_recent(tally, {2, 2}, 59, 60);
  EXPECT_EQ(recent_outcomes(tally, 59, 60).total, 6U);
  EXPECT_EQ(recent_outcomes(tally, 60, 60).total, 2U);
  EXPECT_EQ(recent_outcomes(tally, 109, 60).bad, 2U);
  EXPECT_EQ(recent_outcomes(tally, 110, 60).total, 0U);
  count_recent(tally, {std::uint64_t{1} << 39U, std::uint64_t{1} << 38U}, 1000, 60);
  EXPECT_LT(recent_outcomes(tally, 1000, 60).total, std::uint64_t{1} << 24U);
  EXPECT_EQ(recent_outcomes(tally, 1000, 60).share_ppm(), 500'000);
}

}  // namespace
}  // namespace specroute::router::test
