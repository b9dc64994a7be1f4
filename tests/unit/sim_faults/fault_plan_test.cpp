#include "sim/faults/fault_plan.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

using Kind = HostEvent::Kind;

Fault fault(Fault::Kind kind, std::uint32_t backend, double at, std::optional<double> until = {}) {
  Fault made{.kind = kind, .backend = BackendId{backend}, .at = Seconds{at}, .until = {}};
  if (until) made.until = Seconds{*until};
  return made;
}

Fault crash(std::uint32_t backend, double at, std::optional<double> until = {}) {
  return fault(Fault::Kind::crash, backend, at, until);
}

Fault drawn(Fault fault) {
  fault.drawn = true;
  return fault;
}

HostEvent event(double date, std::uint32_t backend, Kind kind) {
  return {Seconds{date}, BackendId{backend}, kind};
}

TEST(FaultPlan, OrdersEventsByDateWhateverTheFile) {
  const auto plan = plan_faults({crash(1, 20.0), crash(0, 10.0, 40.0)});
  EXPECT_EQ(plan, (std::vector{event(10.0, 0, Kind::down), event(20.0, 1, Kind::down),
                               event(40.0, 0, Kind::up)}));
}

TEST(FaultPlan, BreaksTiesByTheLowestBackend) {
  const auto plan = plan_faults({crash(2, 5.0), crash(1, 5.0)});
  EXPECT_EQ(plan, (std::vector{event(5.0, 1, Kind::down), event(5.0, 2, Kind::down)}));
}

TEST(FaultPlan, LeavesOutTheCrashOfAHostThatIsDown) {
  const auto plan = plan_faults({crash(0, 10.0, 20.0), drawn(crash(0, 15.0, 16.0))});
  EXPECT_EQ(plan, (std::vector{event(10.0, 0, Kind::down), event(20.0, 0, Kind::up)}));
  EXPECT_EQ(plan_faults({crash(0, 10.0), drawn(crash(0, 99.0))}).size(), 1U);
}

TEST(FaultPlan, CrashesAHostAgainAfterItsReturn) {
  const auto plan = plan_faults({crash(0, 10.0, 11.0), crash(0, 12.0)});
  EXPECT_EQ(plan.size(), 3U);
}

TEST(FaultPlan, CrashesAHostAtTheDateOfItsReturn) {
  const auto plan = plan_faults({crash(0, 10.0, 15.0), crash(0, 15.0, 17.0)});
  EXPECT_EQ(plan, (std::vector{event(10.0, 0, Kind::down), event(15.0, 0, Kind::up),
                               event(15.0, 0, Kind::down), event(17.0, 0, Kind::up)}));
}

TEST(FaultPlanDeathTest, LeavesOutNothingThatAFileSays) {
  const auto twice = {crash(0, 10.0, 20.0), crash(0, 15.0, 16.0)};
  EXPECT_DEATH(plan_faults(twice), "gives way to none but a drawn one");
  EXPECT_DEATH(plan_faults({crash(0, 10.0, 10.0)}), "ends after its beginning");
  EXPECT_EQ(plan_faults({drawn(crash(0, 10.0, 20.0)), crash(0, 15.0, 16.0)}).size(), 2U);
}

// A factor of 2 over [10, 20) and of 8 over [20, 30): at 20 the first ends before the second
// begins.
TEST(FaultPlan, BeginsAFaultWhereAnotherOfItsKindEnds) {
  Fault first = fault(Fault::Kind::slow, 0, 10.0, 20.0);
  Fault second = fault(Fault::Kind::slow, 0, 20.0, 30.0);
  first.factor = 2.0;
  second.factor = 8.0;
  const auto plan = plan_faults({first, second});
  ASSERT_EQ(plan.size(), 4U);
  EXPECT_EQ(plan[1].kind, Kind::slow_over);
  EXPECT_EQ(plan[2].kind, Kind::slow);
  EXPECT_EQ(plan[2].amount, 8.0);
  EXPECT_EQ(plan[3].date, Seconds{30.0});
}

// In between nothing is answered, sent or emitted: no instant lies there in which it could be.
TEST(FaultPlan, ProlongsAFaultThatGoesOnAsItWas) {
  for (const Fault::Kind kind : {Fault::Kind::hang, Fault::Kind::slow, Fault::Kind::errors,
                                 Fault::Kind::partition, Fault::Kind::drain}) {
    const auto plan = plan_faults({fault(kind, 0, 10.0, 20.0), fault(kind, 0, 20.0, 30.0)});
    ASSERT_EQ(plan.size(), 2U);
    EXPECT_EQ(plan[0].date, Seconds{10.0});
    EXPECT_EQ(plan[1].date, Seconds{30.0});
  }
}

// A crash ends a hang, so of two that begin at one date the hang never is.
TEST(FaultPlan, HangsNoProcessThatDiesAtThatDate) {
  const auto plan =
      plan_faults({drawn(fault(Fault::Kind::hang, 0, 10.0, 50.0)), drawn(crash(0, 10.0, 20.0))});
  EXPECT_EQ(plan, (std::vector{event(10.0, 0, Kind::down), event(20.0, 0, Kind::up)}));
}

/// A target, and a draft on its devices.
std::vector<Backend> one_node() {
  std::vector<Backend> backends(2);
  backends[1].hosting.on_devices_of = BackendId{0};
  return backends;
}

// The draft is down by its own crash over [10, 70), the devices over [20, 25).
TEST(FaultPlan, ReturnsACoLocatedDraftWhenNothingKeepsItDown) {
  EXPECT_EQ(plan_faults({crash(1, 10.0, 70.0), crash(0, 20.0, 25.0)}, one_node()),
            (std::vector{event(10.0, 1, Kind::down), event(20.0, 0, Kind::down),
                         event(25.0, 0, Kind::up), event(70.0, 1, Kind::up)}));
  EXPECT_EQ(plan_faults({crash(1, 10.0, 22.0), crash(0, 20.0, 25.0)}, one_node()),
            (std::vector{event(10.0, 1, Kind::down), event(20.0, 0, Kind::down),
                         event(25.0, 0, Kind::up), event(25.0, 1, Kind::up)}));
}

TEST(FaultPlan, TakesACoLocatedDraftAlong) {
  EXPECT_EQ(plan_faults({crash(0, 20.0)}, one_node()),
            (std::vector{event(20.0, 0, Kind::down), event(20.0, 1, Kind::down)}));
  EXPECT_EQ(plan_faults({crash(1, 20.0)}, one_node()), (std::vector{event(20.0, 1, Kind::down)}));
  const auto hung =
      plan_faults({fault(Fault::Kind::hang, 1, 10.0, 90.0), crash(0, 20.0, 25.0)}, one_node());
  EXPECT_EQ(hung, (std::vector{event(10.0, 1, Kind::hang), event(20.0, 0, Kind::down),
                               event(20.0, 1, Kind::down), event(25.0, 0, Kind::up),
                               event(25.0, 1, Kind::up)}));
}

}  // namespace
}  // namespace specroute::sim
