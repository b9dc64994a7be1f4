// A rate that swings around a threshold: what is carried out must not swing with it. Baseline
// 0.413, threshold 0.25: of 1000 drafted tokens 660 are within it, 666 beyond it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/router/event_stream.hpp"

namespace specroute::router::test {
namespace {

constexpr std::uint64_t kWithin = 660;
constexpr std::uint64_t kBeyond = 666;

/// A window a second from 100.1 s, `windows` of them, now within and now beyond.
Stream swinging(const std::string& gate, int windows, std::uint64_t draft_params = kWanted) {
  auto stream = Stream::after_failover(gate, SRP_FORWARD_TOKENS);
  for (int i = 0; i < windows; ++i) {
    auto seen = window(100.1 + i, 2, i % 2 == 0 ? kWithin : kBeyond);
    seen.draft = side(kDraft, draft_params, SRP_LIVE);
    stream.send(seen);
  }
  return stream;
}

/// Dates of the decisions of a type.
std::vector<srp_ns> dates(const Stream& stream, std::uint32_t type) {
  std::vector<srp_ns> found;
  for (const auto& said : stream.said)
    if (said.h.type == type) found.push_back(said.h.now);
  return found;
}

// One cool-down of 300 s after the fail-over; extended in the second half of each lock of 300 s, by
// a window beyond the threshold.
TEST(Hysteresis, ALockOutlastsWindowsThatFallBackWithinTheThreshold) {
  const auto stream = swinging("validity", 800);
  const std::vector<srp_ns> expected = {seconds(401.1), seconds(551.1), seconds(701.1),
                                        seconds(851.1)};
  EXPECT_EQ(dates(stream, SRP_LOCK), expected);
  EXPECT_EQ(stream.count(SRP_REBIND), 0U);
  EXPECT_EQ(stream.count(SRP_NO_DRAFT), 0U);
}

// Nothing is heard of the first: it is said again after retry_s = 5 s, not with every window beyond
// the threshold, which are those of odd seconds.
TEST(Hysteresis, ARebindIsRepeatedNoSoonerThanItsRetry) {
  const auto stream = swinging("validity", 60, kStale);
  const auto rebinds = dates(stream, SRP_REBIND);
  ASSERT_EQ(rebinds.size(), 10U);
  EXPECT_EQ(rebinds[0], seconds(101.1));
  for (std::size_t i = 1; i < rebinds.size(); ++i)
    EXPECT_EQ(rebinds[i] - rebinds[i - 1], seconds(6)) << i;
}

// A gate that knows no fingerprint changes its mind, but at most once in retry_s.
TEST(Hysteresis, OfAGateByAcceptanceAloneIsTheRetry) {
  const auto stream = swinging("delta_only", 60);
  EXPECT_EQ(stream.count(SRP_LOCK), 10U);
  EXPECT_EQ(stream.count(SRP_REBIND), 10U);
  for (std::size_t i = 2; i < stream.said.size(); ++i)
    EXPECT_GE(stream.said[i].h.now - stream.said[i - 2].h.now, seconds(5)) << i;
}

// Half a minute at the baseline, after a spike that was held, is no reason to reward either.
TEST(Hysteresis, ASpikeThatEndsLeavesNoReward) {
  auto stream = Stream::after_failover("validity");
  stream.serve(100.1, 200, kBeyond);
  stream.serve(201, 700, 413);
  EXPECT_EQ(stream.count(SRP_LOCK), 0U);
  EXPECT_EQ(stream.reason(), "delta_within_threshold");
}

}  // namespace
}  // namespace specroute::router::test
