#include "sim/world/policy_feed.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

constexpr BackendId kServing{1};

Scenario two_backends() {
  Scenario scenario;
  scenario.backends.resize(2);
  return scenario;
}

TEST(PolicyFeed, CountsTriesByTheirOutcomeSinceTheLastReport) {
  PolicyFeed feed(two_backends(), models::Seed{1});
  for (const TryOutcome outcome : {TryOutcome::success, TryOutcome::failure, TryOutcome::timeout,
                                   TryOutcome::client_error, TryOutcome::nothing})
    feed.settled(kServing, Seconds{1.0}, outcome);
  const auto report = feed.take_health().at(kServing.index());
  EXPECT_EQ(report.tries, 4U) << "what the router took back itself tells nothing";
  EXPECT_EQ(report.errors, 1U) << "the client's error is not the backend's";
  EXPECT_EQ(report.timeouts, 1U);
  EXPECT_EQ(feed.take_health().at(kServing.index()).tries, 0U);
}

// Released at 5 s: what was counted before, and what was sent before, is of the old trial.
TEST(PolicyFeed, LeavesOutTriesFromBeforeARelease) {
  PolicyFeed feed(two_backends(), models::Seed{1});
  feed.settled(kServing, Seconds{3.0}, TryOutcome::timeout);
  feed.released(kServing, Seconds{5.0});
  feed.settled(kServing, Seconds{4.9}, TryOutcome::timeout);
  feed.settled(kServing, Seconds{5.0}, TryOutcome::failure);
  feed.settled(BackendId{0}, Seconds{1.0}, TryOutcome::success);
  const auto reports = feed.take_health();
  EXPECT_EQ(reports.at(kServing.index()).tries, 1U);
  EXPECT_EQ(reports.at(kServing.index()).errors, 1U);
  EXPECT_EQ(reports.at(kServing.index()).timeouts, 0U);
  EXPECT_EQ(reports.at(0).tries, 1U) << "another backend's are its own";
}

}  // namespace
}  // namespace specroute::sim
