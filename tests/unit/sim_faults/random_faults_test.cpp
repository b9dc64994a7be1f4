#include <gtest/gtest.h>

#include "sim/faults/fault_plan.hpp"

namespace specroute::sim {
namespace {

using Kind = HostEvent::Kind;

Fault fault(Fault::Kind kind, double at, std::optional<Seconds> lasts = {}) {
  Fault made{.kind = kind, .backend = BackendId{0}, .at = Seconds{at}, .until = {}};
  if (lasts) made.until = made.at + *lasts;
  made.drawn = true;
  return made;
}

std::vector<Kind> kinds(const std::vector<HostEvent>& plan) {
  std::vector<Kind> all;
  for (const HostEvent& event : plan) all.push_back(event.kind);
  return all;
}

TEST(FaultPlan, EndsEachFaultInItsTime) {
  const auto plan =
      plan_faults({fault(Fault::Kind::slow, 1.0, Seconds{4.0}),
                   fault(Fault::Kind::hang, 2.0, Seconds{1.0}), fault(Fault::Kind::drain, 6.0)});
  EXPECT_EQ(kinds(plan),
            (std::vector{Kind::slow, Kind::hang, Kind::hang_over, Kind::slow_over, Kind::drain}));
}

// The process that hung is gone, so the end of its hang must not end a later one.
TEST(FaultPlan, ForgetsAHangThatACrashEnded) {
  const auto plan = plan_faults({fault(Fault::Kind::hang, 1.0, Seconds{9.0}),
                                 fault(Fault::Kind::crash, 2.0, Seconds{1.0}),
                                 fault(Fault::Kind::hang, 5.0, Seconds{15.0})});
  EXPECT_EQ(kinds(plan),
            (std::vector{Kind::hang, Kind::down, Kind::up, Kind::hang, Kind::hang_over}));
  EXPECT_EQ(plan.back().date, Seconds{20.0});
}

TEST(FaultPlan, LeavesOutWhatHasBegunAlready) {
  const auto plan = plan_faults({fault(Fault::Kind::slow, 1.0, Seconds{4.0}),
                                 fault(Fault::Kind::slow, 2.0, Seconds{9.0}),
                                 fault(Fault::Kind::crash, 6.0), fault(Fault::Kind::hang, 7.0)});
  EXPECT_EQ(kinds(plan), (std::vector{Kind::slow, Kind::slow_over, Kind::down}));
}

/// `backends` backends of 8 devices, failing once in 100 device hours, over 1,000 h.
Scenario failing(std::uint32_t backends) {
  Scenario s{};
  s.horizon = Seconds{1000.0 * 3600.0};
  RandomFaults entry{.effect = Fault::Kind::crash,
                     .backends = {},
                     .gpu_hours_per_failure = 100.0,
                     .restart_after = Seconds{36.0},
                     .silent = true};
  for (std::uint32_t b = 0; b < backends; ++b) {
    s.backends.emplace_back();
    s.backends.back().tensor_parallel = 4;
    s.backends.back().engines = 2;
    entry.backends.push_back(BackendId{b});
  }
  s.random_faults = {entry};
  return s;
}

// 8 devices x 1,000 h / 100 h = 80 failures a backend, less the time down (0.8 %): 4 deviations.
TEST(RandomFaults, ComeAtTheirRate) {
  const auto drawn = draw_faults(failing(20), models::Seed{7});
  EXPECT_NEAR(static_cast<double>(drawn.size()), 20 * 80 / 1.0008, 4 * 40.0);
  for (const Fault& each : drawn) EXPECT_LT(each.at, failing(20).horizon);
}

// "A failed GPU takes its whole backend": a co-located draft has none of its own.
TEST(RandomFaults, AreNoneOfACoLocatedDraft) {
  Scenario s = failing(2);
  s.backends[1].hosting.on_devices_of = BackendId{0};
  const auto drawn = draw_faults(s, models::Seed{7});
  EXPECT_GT(drawn.size(), 0U);
  for (const Fault& each : drawn) EXPECT_EQ(each.backend, BackendId{0});
}

TEST(RandomFaults, OfABackendDoNotDependOnTheOthers) {
  const auto of_first = [](const std::vector<Fault>& faults) {
    std::vector<double> dates;
    for (const Fault& each : faults)
      if (each.backend == BackendId{0}) dates.push_back(each.at.count());
    return dates;
  };
  const auto alone = of_first(draw_faults(failing(1), models::Seed{7}));
  EXPECT_EQ(of_first(draw_faults(failing(20), models::Seed{7})), alone);
  EXPECT_NE(of_first(draw_faults(failing(1), models::Seed{8})), alone);
}

}  // namespace
}  // namespace specroute::sim
