/// @file
/// Kernels: by hand, then against single entries of the public tables.
#include <gtest/gtest.h>

#include "models/devices/kernels.hpp"

namespace specroute::models {
namespace {

constexpr FlopsPerSecond kPeak{1e12};
constexpr BytesPerSecond kBandwidth{1e9};

// 2 * 10 * 20 * 30 = 12,000 FLOP; 2 * 600 weight bytes + 2 * 10 * 50 of activations = 2,200 bytes.
TEST(GemmWork, CountsProductsWeightsAndActivations) {
  const GemmWork work = gemm_work(10.0, 20.0, 30.0, 2.0);
  EXPECT_EQ(work.flops, 12'000.0);
  EXPECT_EQ(work.bytes, 2'200.0);
}

// Compute 12e9 / (1e12 * 0.5) = 24 ms, memory 12e6 / (1e9 * 0.5) = 24 ms: equal limits are the
// worst case of the blend, 24 * 2^(1 / s).
TEST(GemmTime, BlendsEqualLimitsByTheSharpness) {
  const GemmKernel kernel{.launch = Seconds{1e-3}, .compute = 0.5, .memory = 0.5, .sharpness = 2.0};
  const GemmWork work{.flops = 12e9, .bytes = 12e6};
  EXPECT_NEAR(gemm_time(kernel, work, kPeak, kBandwidth).count(), 1e-3 + 24e-3 * 1.4142135623730951,
              1e-12);
}

// 32 rows lose half of the width loss of 0.2: memory 1 ms becomes 1.1 ms.
TEST(GemmTime, ReadsWeightsLessWellForManyRows) {
  const GemmKernel kernel{.sharpness = 1e4, .width_loss = 0.2};
  const GemmWork work{.rows = 32.0, .flops = 1.0, .bytes = 1e6};
  EXPECT_NEAR(gemm_time(kernel, work, kPeak, kBandwidth).count(), 1.1e-3, 1e-12);
}

TEST(GemmTime, IsTheGreaterLimitFarFromTheKnee) {
  const GemmKernel kernel{.sharpness = 5.0};
  EXPECT_NEAR(gemm_time(kernel, {.flops = 1e12, .bytes = 1e6}, kPeak, kBandwidth).count(), 1.0,
              1e-12);
  EXPECT_NEAR(gemm_time(kernel, {.flops = 1e6, .bytes = 1e9}, kPeak, kBandwidth).count(), 1.0,
              1e-12);
  EXPECT_EQ(gemm_time(kernel, {}, kPeak, kBandwidth), Seconds{0.0});
}

constexpr Device kDevice{.name = "round",
                         .generation = Generation::hopper,
                         .bf16_dense = kPeak,
                         .fp8_dense = FlopsPerSecond{0.0},
                         .memory = Bytes{1e9},
                         .memory_bandwidth = kBandwidth,
                         .last_level_cache = Bytes{1000.0},
                         .link = BytesPerSecond{1e9},
                         .pcie = BytesPerSecond{1e9},
                         .power = {},
                         .usd_per_hour = {},
                         .cross_checked = CrossCheck::yes,
                         .source = "this test"};

// 4 sequences of 2 KV heads and 1,024 tokens: 2 * 8 * 1,024 * 100 * 2 = 3,276,800 bytes; 16
// streams. 1 us + 8 * 10 ns + 3.2768 ms (1 / 0.8 + 4 / 16).
TEST(AttentionTime, ReadsTheContextOnceThroughItsStreams) {
  const AttentionKernel kernel{.launch = Seconds{1e-6},
                               .task = Seconds{10e-9},
                               .memory = 0.8,
                               .cache_rate = 2.0,
                               .half_streams = 4.0};
  AttentionCall call{.batch = 4.0,
                     .query_heads = 8.0,
                     .kv_heads = 2.0,
                     .kv_tokens = 1024.0,
                     .head_dimension = 100.0};
  EXPECT_NEAR(attention_time(kDevice, kernel, call).count(), 1.08e-6 + 3.2768e-3 * 1.5, 1e-12);
  // Twice the cache rate, and never split: one token of one sequence on one head is 400 bytes.
  AttentionKernel whole = kernel;
  whole.splits_single = false;
  call = {
      .batch = 1.0, .query_heads = 1.0, .kv_heads = 1.0, .kv_tokens = 1.0, .head_dimension = 100.0};
  EXPECT_NEAR(attention_time(kDevice, whole, call).count(), 1.01e-6 + 400e-9 * 4.5, 1e-15);
}

// aiconfigurator, H100 SXM: m = 1 and 256, n = k = 16,384: 173.7 and 193.1 us; L40S: 719.5 and
// 978.0 us. In-sample, single entries: within 12 %.
TEST(GemmTime, LandsOnMeasuredProducts) {
  const struct {
    const char* device;
    double rows;
    double microseconds;
  } cases[] = {{"H100-SXM-80", 1.0, 173.7},
               {"H100-SXM-80", 256.0, 193.1},
               {"L40S-48", 1.0, 719.5},
               {"L40S-48", 256.0, 978.0}};
  for (const auto& [name, rows, measured] : cases) {
    const Device& device = *find_device(name);
    const Seconds ours =
        gemm_time(kernels(device.generation).gemm, gemm_work(rows, 16384.0, 16384.0, 2.0),
                  device.bf16_dense, device.memory_bandwidth);
    EXPECT_NEAR(ours.count() * 1e6 / measured, 1.0, 0.12) << name << ' ' << rows;
  }
}

TEST(Kernels, AreMeasuredOnTwoGenerationsAndSharesEverywhere) {
  for (const Device& device : devices()) {
    const Kernels found = kernels(device.generation);
    for (const double share : {found.gemm.compute, found.gemm.memory, found.attention.memory}) {
      EXPECT_GT(share, 0.0) << device.name;
      EXPECT_LE(share, 1.0) << device.name;
    }
    const bool has_table =
        device.generation == Generation::hopper || device.generation == Generation::ada;
    EXPECT_EQ(found.measured, has_table) << device.name;
  }
}

}  // namespace
}  // namespace specroute::models
