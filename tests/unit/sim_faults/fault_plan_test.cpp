#include "sim/faults/fault_plan.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

using Kind = HostEvent::Kind;

Fault crash(std::uint32_t backend, double at, std::optional<Seconds> restart_after = {}) {
  return {Fault::Kind::crash, BackendId{backend}, Seconds{at}, restart_after};
}

HostEvent event(double date, std::uint32_t backend, Kind kind) {
  return {Seconds{date}, BackendId{backend}, kind};
}

TEST(FaultPlan, OrdersEventsByDateWhateverTheFile) {
  const auto plan = plan_faults({crash(1, 20.0), crash(0, 10.0, Seconds{30.0})});
  EXPECT_EQ(plan, (std::vector{event(10.0, 0, Kind::down), event(20.0, 1, Kind::down),
                               event(40.0, 0, Kind::up)}));
}

TEST(FaultPlan, BreaksTiesByTheLowestBackend) {
  const auto plan = plan_faults({crash(2, 5.0), crash(1, 5.0)});
  EXPECT_EQ(plan, (std::vector{event(5.0, 1, Kind::down), event(5.0, 2, Kind::down)}));
}

TEST(FaultPlan, LeavesOutTheCrashOfAHostThatIsDown) {
  const auto plan = plan_faults({crash(0, 10.0, Seconds{10.0}), crash(0, 15.0, Seconds{1.0})});
  EXPECT_EQ(plan, (std::vector{event(10.0, 0, Kind::down), event(20.0, 0, Kind::up)}));
  EXPECT_EQ(plan_faults({crash(0, 10.0), crash(0, 99.0)}).size(), 1U);
}

TEST(FaultPlan, CrashesAHostAgainAfterItsReturn) {
  const auto plan = plan_faults({crash(0, 10.0, Seconds{1.0}), crash(0, 12.0)});
  EXPECT_EQ(plan.size(), 3U);
}

// Down comes before up at one date, so at its date of return a host is still down.
TEST(FaultPlan, LeavesOutACrashAtTheDateOfReturn) {
  const auto plan = plan_faults({crash(0, 10.0, Seconds{5.0}), crash(0, 15.0, Seconds{2.0})});
  EXPECT_EQ(plan, (std::vector{event(10.0, 0, Kind::down), event(15.0, 0, Kind::up)}));
}

}  // namespace
}  // namespace specroute::sim
