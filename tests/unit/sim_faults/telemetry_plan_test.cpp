#include "sim/faults/telemetry_plan.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

using Ailment = TelemetryFault::Kind;
constexpr BackendId kTarget{0};

TelemetryFault ailing(Ailment kind, double from, double until) {
  return {.kind = kind, .backend = kTarget, .from = Seconds{from}, .until = Seconds{until}};
}

TEST(TelemetryPlan, AddsDelaysAndMultipliesWhatArrives) {
  TelemetryFault slow = ailing(Ailment::delay, 1.0, 3.0);
  slow.extra = Seconds{0.5};
  TelemetryFault lossy = ailing(Ailment::loss, 0.0, 9.0);
  lossy.share = 0.5;
  const TelemetryPlan plan({slow, slow, lossy, lossy});
  EXPECT_EQ(plan.extra_delay(kTarget, Seconds{2.0}), Seconds{1.0});
  EXPECT_EQ(plan.extra_delay(kTarget, Seconds{3.0}), Seconds{0.0});
  EXPECT_EQ(plan.loss(kTarget, Seconds{2.0}), 0.75);
  EXPECT_EQ(plan.loss(BackendId{1}, Seconds{2.0}), 0.0);
}

TEST(TelemetryPlan, LetsTheLatestFaultOfAKindSpeak) {
  TelemetryFault first = ailing(Ailment::one_engine, 0.0, 9.0);
  TelemetryFault later = ailing(Ailment::one_engine, 4.0, 6.0);
  later.engine = 3;
  const TelemetryPlan plan({later, first});
  EXPECT_EQ(plan.only_engine(kTarget, Seconds{3.0}), 0U);
  EXPECT_EQ(plan.only_engine(kTarget, Seconds{5.0}), 3U);
  EXPECT_FALSE(plan.only_engine(kTarget, Seconds{9.0}).has_value());
  EXPECT_FALSE(plan.denominator(kTarget, Seconds{5.0}).has_value());
}

TEST(TelemetryPlan, ListsTheDatesAtWhichCountersFall) {
  const TelemetryPlan plan(
      {{.kind = Ailment::counter_reset, .backend = kTarget, .from = Seconds{7.0}},
       ailing(Ailment::delay, 0.0, 1.0)});
  ASSERT_EQ(plan.resets().size(), 1U);
  EXPECT_EQ(plan.resets()[0].date, Seconds{7.0});
}

}  // namespace
}  // namespace specroute::sim
