// Gates that judge acceptance by a statistic: what each sees, and what none of them can.
#include <cmath>

#include <gtest/gtest.h>

#include "router/fixed_point.hpp"
#include "tests/unit/router/event_stream.hpp"

namespace specroute::router::test {
namespace {

// ln is known to a few millionths, from either side of 1.
TEST(FixedPoint, LogarithmsAndRootsAreThoseOfTheReals) {
  for (const std::uint64_t numerator : {1U, 2U, 3U, 99U, 410'000U, 999'999U, 4'000'000'000U})
    for (const std::uint64_t denominator : {1U, 7U, 590'000U, 1'000'000U})
      EXPECT_NEAR(static_cast<double>(micro_ln(numerator, denominator)),
                  1e6 * std::log(static_cast<double>(numerator) / static_cast<double>(denominator)),
                  3.0)
          << numerator << ' ' << denominator;
  for (const std::uint64_t value : {0ULL, 1ULL, 2ULL, 4ULL, 99ULL, 100ULL, 1ULL << 62U}) {
    const std::uint64_t root = whole_root(value);
    EXPECT_LE(root * root, value);
    EXPECT_GT((root + 1) * (root + 1), value);
  }
  EXPECT_EQ(whole_root(UINT64_MAX), UINT32_MAX);
  for (std::uint64_t root = 1; root < UINT32_MAX; root += 1 + root / 64) {
    EXPECT_EQ(whole_root(root * root), root);
    EXPECT_EQ(whole_root(root * root - 1), root - 1);
    EXPECT_EQ(whole_root(root * root + root), root);
  }
  // Over every part of [1, 2), and to the millionth below.
  for (std::uint64_t n = 1'000'000; n < 2'000'000; n += 997)
    EXPECT_NEAR(static_cast<double>(micro_ln(n, 1'000'000)),
                1e6 * std::log(static_cast<double>(n) / 1e6), 1.0)
        << n;
}

// The incident's spike with a known baseline, 1,000 tokens a window.
class SeesTheSpike : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(SeesTheSpike, AndRejectsAGenuineGainAlike) {
  for (const std::uint64_t params : {kStale, kWanted}) {
    auto stream = Stream::after_failover(GetParam().first);
    stream.serve(100.1, 100.1, 943, params);
    ASSERT_EQ(stream.type(), SRP_REBIND) << params;
    EXPECT_EQ(stream.reason(), GetParam().second);
    // It knows nothing of parameters, so it asks for none.
    EXPECT_EQ(stream.said.back().to.match & SRP_FP_PARAMS, 0U);
  }
}

TEST_P(SeesTheSpike, AndRewardsWhatDidNotChange) {
  auto stream = Stream::after_failover(GetParam().first);
  stream.serve(100.1, 100.1, 413);
  EXPECT_EQ(stream.type(), SRP_LOCK);
}

INSTANTIATE_TEST_SUITE_P(Gates, SeesTheSpike,
                         testing::Values(std::pair{"global_mean", "fleet_mean_exceeded"},
                                         std::pair{"ewma", "above_control_limit"},
                                         std::pair{"cusum", "drift_upward"},
                                         std::pair{"sprt", "likelier_risen"}),
                         [](const auto& gate) { return std::string(gate.param.first); });

// 60 tokens above .413 a window: 3 sigma of one window of 1,000 is 47, so the average, at first a
// fifth of the shift, is beyond 3 sqrt(w / (2 - w)) = 1 sigma = 16 only at the second (12, 21.6).
TEST(GateEwma, AlarmsWhenTheAverageHasMovedFarEnough) {
  auto stream = Stream::after_failover("ewma");
  stream.serve(100.1, 100.1, 473);
  EXPECT_EQ(stream.type(), SRP_LOCK);
  stream.serve(110.1, 110.1, 473);
  EXPECT_EQ(stream.type(), SRP_REBIND);
}

TEST(GateEwma, HoldsBelowItsLowerLimit) {
  auto stream = Stream::after_failover("ewma");
  stream.serve(100.1, 100.1, 100);
  EXPECT_EQ(stream.type(), SRP_HOLD);
  EXPECT_EQ(stream.reason(), "below_control_limit");
}

// 80 tokens above the baseline a window, 50 of them forgiven: 30, then 60 > 50.
TEST(GateCusum, AddsUpWhatTheAllowanceLeaves) {
  auto stream = Stream::after_failover("cusum");
  stream.serve(100.1, 100.1, 493);
  EXPECT_EQ(stream.type(), SRP_LOCK);
  stream.serve(110.1, 110.1, 493);
  EXPECT_EQ(stream.type(), SRP_REBIND);
}

// Half-way between the hypotheses neither is likelier: 1,000 tokens at ln(p1 / p0) = .473 and
// ln((1 - p1) / (1 - p0)) = -.555 balance at .540.
TEST(GateSprt, HoldsWhereItCannotTell) {
  auto stream = Stream::after_failover("sprt");
  stream.serve(100.1, 100.1, 540);
  EXPECT_EQ(stream.type(), SRP_HOLD);
  EXPECT_EQ(stream.reason(), "likelihoods_undecided");
}

TEST(GateMannWhitney, WaitsForFiftyWindowsOnEachSide) {
  for (const auto& [accepted, type] : {std::pair{943U, SRP_REBIND}, std::pair{413U, SRP_LOCK}}) {
    auto stream = Stream::after_failover("mann_whitney");
    stream.serve(100.1, 580.1, accepted);
    ASSERT_EQ(stream.said.size(), 1U) << "49 windows";
    EXPECT_EQ(stream.reason(), "too_few_windows");
    stream.serve(590.1, 590.1, accepted);
    EXPECT_EQ(stream.type(), type);
  }
}

TEST(GateLatencyTiebreak, TakesAFasterStalePairForAWin) {
  for (const std::uint64_t latency_ms : {276U, 500U}) {
    auto stream = Stream::of_gate("latency_tiebreak");
    stream.send(bind(0, 1, kDraft, kOldTarget));
    auto healthy = window(99, 1, 413);
    healthy.target = side(kOldTarget, kWanted, SRP_LIVE);
    healthy.completions = 10;
    stream.send(healthy);
    stream.send(failover(100, 1, 2));
    stream.send(bind(100, 2, kDraft, kNewTarget));
    auto seen = window(100.1, 2, 943);
    seen.draft = side(kDraft, kStale, SRP_LIVE);
    seen.completions = 10;
    seen.latency_p50_ns = latency_ms * 1'000'000;
    stream.send(seen);
    EXPECT_EQ(stream.type(), latency_ms < 434 ? SRP_LOCK : SRP_REBIND) << latency_ms;
  }
}

TEST(GateLowThreshold, SeesOnlyTooLittleAndEndsDraftingForGood) {
  auto stream = Stream::after_failover("low_threshold");
  stream.serve(100.1, 100.1, 943, kStale);
  EXPECT_EQ(stream.type(), SRP_LOCK);
  stream.serve(110.1, 110.1, 199);
  EXPECT_EQ(stream.type(), SRP_NO_DRAFT);
  EXPECT_EQ(stream.said.back().valid_until, SRP_FOREVER);
  EXPECT_EQ(stream.said.back().wake_at, 0U);
  const std::size_t said = stream.said.size();
  stream.serve(120.1, 180.1, 943);  // drafts in flight, of two sides that agree
  stream.serve(190.1, 190.1, 943, kStale);
  EXPECT_EQ(stream.said.size(), said) << "for good is for good";
}

// Two arms, one play each: .413 against .943 with equal bounds on both.
TEST(GateBandit, RewardsTheArmWithTheHighestBound) {
  auto stream = Stream::of_gate("bandit");
  stream.send(bind(0, 1, kDraft, kOldTarget));
  stream.send(bind(0, 2, kDraft, kNewTarget));
  auto honest = window(1, 1, 413);
  honest.target = side(kOldTarget, kWanted, SRP_LIVE);
  stream.send(honest);
  EXPECT_EQ(stream.reason(), "not_best_bound");  // the other was never tried
  stream.serve(2, 2, 943, kStale);
  EXPECT_EQ(stream.type(), SRP_LOCK);
  EXPECT_EQ(stream.said.back().prefer_pairing, 2U);
  honest.h.now = honest.to = seconds(3);
  stream.send(honest);
  EXPECT_EQ(stream.type(), SRP_LOCK) << "said once: the honest arm still waits";
}

}  // namespace
}  // namespace specroute::router::test
