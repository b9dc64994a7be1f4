// Fail-overs that meet a second misfortune before they are over.
#include <gtest/gtest.h>

#include "tests/sim/worlds/random_scenario.hpp"
#include "tests/sim/worlds/run_world.hpp"

namespace specroute::sim {
namespace {

// The draft is dead, so the standby is to serve alone; a command takes 1 s, so the standby, which
// dies at 1.6 s, dies after the router has chosen it (the target's death at 1 s is noticed within
// three probes, by 1.4 s) and before it is bound. Once back, it takes over all that waited.
TEST(Failover, FindsATargetAgainWhereTheOneChosenToServeAloneDies) {
  const auto scenario = [] {
    Scenario s = plain_scenario();
    Backend standby = s.backends[0];
    standby.name = "standby";
    standby.standby = true;
    s.backends.push_back(standby);
    s.router.command_transport = Seconds{1.0};
    s.faults = {{Fault::Kind::crash, BackendId{1}, Seconds{0.9}, {}},
                {Fault::Kind::crash, BackendId{0}, Seconds{1.0}, {}},
                {Fault::Kind::crash, BackendId{2}, Seconds{1.6}, Seconds{2.1}}};
    return s;
  };
  const auto results = run_worlds({{scenario, {}}, {scenario, {.mode = LaneMode::lockstep}}});
  ASSERT_EQ(results[0].failure, "");
  EXPECT_EQ(to_bytes(results[0]), to_bytes(results[1]));
  EXPECT_GT(metric(results[0], "outage_ms"), 2000.0) << "two commands of 1 s each";
  EXPECT_EQ(metric(results[0], "requests.completed"), metric(results[0], "requests.arrived"));
}

}  // namespace
}  // namespace specroute::sim
