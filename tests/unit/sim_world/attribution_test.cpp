#include "sim/world/attribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace specroute::sim {
namespace {

Sequence degraded_under(CircumstanceId blamed) {
  Sequence sequence;
  sequence.loop_pairing = PairingId{0};
  sequence.first_cause = DegradationCause::loop;
  sequence.blamed = blamed;
  return sequence;
}

DecisionEntry policy_decision(std::uint16_t type) {
  DecisionEntry entry;
  entry.decision.h.type = type;
  return entry;
}

DecisionEntry bind_by_router(const std::string& cause) {
  DecisionEntry entry;
  entry.reason = cause;
  return entry;
}

double value(const Metrics& metrics, const std::string& name) {
  const auto found =
      std::ranges::find_if(metrics, [&](const auto& metric) { return metric.first == name; });
  return found == metrics.end() ? -1.0 : found->second.value_or(-2.0);
}

// Two pairings, an override that comes and goes, a lock: 1 + 2 + 3 completions, each counted once
// by each of the three.
TEST(Attribution, CountsEachCompletionOnceByPairingOverrideAndDecision) {
  Attribution book;
  const auto healthy = book.open(PairingId{0}, "", 0);
  const auto stale = book.with_owners(healthy, "batch job");
  const auto locked = book.with_decision(book.open(PairingId{1}, "batch job", 1), 2);
  book.completed(degraded_under(healthy));
  for (int i = 0; i < 2; ++i) book.completed(degraded_under(stale));
  for (int i = 0; i < 3; ++i) book.completed(degraded_under(locked));
  book.completed(Sequence{});  // not degraded: nobody's doing
  Metrics metrics;
  book.report(metrics, {"t+d", "t+alone"},
              {bind_by_router("start"), bind_by_router("target_lost"), policy_decision(SRP_LOCK)});
  EXPECT_EQ(value(metrics, "degraded.by_cause.loop"), 6.0);
  EXPECT_EQ(value(metrics, "degraded.by_pairing.t+d"), 3.0);
  EXPECT_EQ(value(metrics, "degraded.by_pairing.t+alone"), 3.0);
  EXPECT_EQ(value(metrics, "degraded.by_override.none"), 1.0);
  EXPECT_EQ(value(metrics, "degraded.by_override.batch job"), 5.0);
  EXPECT_EQ(value(metrics, "degraded.by_decision.BIND.start"), 3.0);
  EXPECT_EQ(value(metrics, "degraded.by_decision.LOCK"), 3.0);
  EXPECT_EQ(value(metrics, "degraded.by_decision.BIND.target_lost"), -1.0) << "nothing to report";
}

TEST(Attribution, KeepsACircumstanceThatAnOverrideDoesNotChange) {
  Attribution book;
  const auto first = book.open(PairingId{0}, "ops", 0);
  EXPECT_EQ(book.with_owners(first, "ops"), first);
  EXPECT_NE(book.with_owners(first, ""), first);
  EXPECT_EQ(book.owners(book.with_owners(first, "")), "none");
}

}  // namespace
}  // namespace specroute::sim
