#include "sim/world/fleet_meters.hpp"

#include <gtest/gtest.h>

#include "models/devices/model_shape.hpp"

namespace specroute::sim {
namespace {

Backend backend(const std::string& name, Role role, std::uint32_t engines) {
  Backend one{};
  one.name = name;
  one.role = role;
  one.model = "llama-3.1-8b";
  one.device = "H100-SXM-80";
  one.precision = Precision::fp8;
  one.tensor_parallel = 1;
  one.engines = engines;
  return one;
}

double metered(const Metrics& metrics, const std::string& name) {
  for (const auto& [path, found] : metrics)
    if (path == name) return found.value_or(-1.0);
  return -2.0;
}

// Two engines busy for 4 s in all out of 2 x 10 s; 100 blocks of which 250 block-seconds were in
// use: 0.25 of 1000. A draft of one engine, busy for 5 s.
TEST(FleetMeters, ShareBusyTimeAndBlocksOverEnginesAndTime) {
  const Backend target = backend("t", Role::target, 2);
  const Backend draft = backend("d", Role::draft, 1);
  const std::vector<BackendMeter> meters = {{.backend = &target,
                                             .busy = Seconds{4.0},
                                             .kv_blocks = 100.0,
                                             .kv_block_seconds = 250.0,
                                             .kv_fullest = 0.8},
                                            {.backend = &draft, .busy = Seconds{5.0}}};
  Metrics metrics;
  report_backends(metrics, meters, Seconds{10.0});
  report_fleet(metrics, meters, Seconds{10.0});
  EXPECT_DOUBLE_EQ(metered(metrics, "utilisation.t"), 0.2);
  EXPECT_DOUBLE_EQ(metered(metrics, "utilisation.d"), 0.5);
  EXPECT_DOUBLE_EQ(metered(metrics, "kv_mean.t"), 0.25);
  EXPECT_EQ(metered(metrics, "kv_mean.d"), -2.0) << "a draft's cache is not counted";
  EXPECT_DOUBLE_EQ(metered(metrics, "utilisation_targets"), 0.2);
  EXPECT_DOUBLE_EQ(metered(metrics, "utilisation_drafts"), 0.5);
  EXPECT_DOUBLE_EQ(metered(metrics, "kv_occupancy_mean"), 0.25);
  EXPECT_DOUBLE_EQ(metered(metrics, "kv_occupancy_max"), 0.8);
}

// 10^6 positions over 10 s. An H100 does 1,979 TFLOP/s of dense fp8 by its datasheet.
TEST(FleetMeters, RelateArithmeticToTheDatasheet) {
  const Backend target = backend("t", Role::target, 1);
  BackendMeter meter{.backend = &target};
  meter.work.decode_tokens = 1e6;
  const double flops =
      models::work_flops(*models::find_model_shape("llama-3.1-8b"), meter.work).value();
  EXPECT_NEAR(flops, 2.0 * 7.5e9 * 1e6, 0.02 * flops) << "two operations a parameter and position";
  Metrics metrics;
  report_backends(metrics, {meter}, Seconds{10.0});
  EXPECT_DOUBLE_EQ(metered(metrics, "tflop_per_s.t"), flops / 1e13);
  EXPECT_NEAR(metered(metrics, "flop_utilisation.t"), flops / 10.0 / 1979e12,
              1e-3 * flops / 1979e13);
}

TEST(FleetMeters, SayNothingOfAFleetThatIsNotThere) {
  Metrics metrics;
  report_fleet(metrics, {}, Seconds{10.0});
  EXPECT_EQ(metered(metrics, "utilisation_targets"), -1.0) << "null, not 0";
  EXPECT_EQ(metered(metrics, "kv_occupancy_mean"), -1.0);
}

}  // namespace
}  // namespace specroute::sim
