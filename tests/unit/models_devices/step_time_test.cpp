/// @file
/// Step times: by hand on a device with round numbers, then against measurements.
#include <gtest/gtest.h>

#include "models/devices/step_time.hpp"

namespace specroute::models {
namespace {

// One layer, hidden 100, MLP 100, one head of 100: layer parameters
// 2 * 100 * 100 * (1 + 1) + 3 * 100 * 100 = 70,000; head 100 * 300 = 30,000, tied.
// Norms 2 * 100 + 100 = 300. KV 2 * 1 * 1 * 100 * 2 = 400 bytes a token; 4 * 100 = 400 FLOP a pair.
constexpr ModelShape kTiny{.name = "tiny",
                           .layers = 1,
                           .hidden = 100,
                           .intermediate = 100,
                           .heads = 1,
                           .kv_heads = 1,
                           .head_dimension = 100,
                           .vocabulary = 300,
                           .tied_embeddings = true,
                           .normalises_heads = false,
                           .published_total = 100'300,
                           .source = "this test"};

// 1 MFLOP/s in bf16, 2 in fp8; 1 MB/s of memory; a link of 100 kB/s.
constexpr Device kSlow{.name = "slow",
                       .generation = Generation::hopper,
                       .bf16_dense = FlopsPerSecond{1e6},
                       .fp8_dense = FlopsPerSecond{2e6},
                       .memory = Bytes{1e9},
                       .memory_bandwidth = BytesPerSecond{1e6},
                       .link = BytesPerSecond{1e5},
                       .pcie = BytesPerSecond{1e4},
                       .power = {},
                       .usd_per_hour = {},
                       .cross_checked = CrossCheck::yes,
                       .source = "this test"};

constexpr KernelEfficiency kPerfect{
    .compute = 1.0, .memory = 1.0, .overlap_loss = 0.0, .measured = false};
constexpr EngineOverheads kNone{.compute_factor = 1.0,
                                .memory_factor = 1.0,
                                .collective_factor = 1.0,
                                .per_pass = Seconds{0.0},
                                .per_layer = Seconds{0.0},
                                .per_quantised_layer = Seconds{0.0},
                                .per_sequence = Seconds{0.0},
                                .per_prefill_token = Seconds{0.0}};

Pass decode(double sequences, double positions, double context) {
  return {.sequences = sequences,
          .tokens_decode = sequences * positions,
          .tokens_prefill = 0.0,
          .context_tokens = sequences * context};
}

double seconds(const Deployment& deployment, const Pass& pass) {
  return pass_time(step_model(deployment, kPerfect, kNone), pass).count();
}

// Compute 2 (70,000 + 30,000) = 0.2 MFLOP: 0.2 s. Memory 2 * 100,300 = 0.2006 MB: 0.2006 s.
TEST(PassTime, IsTheSlowerOfComputeAndMemory) {
  const Deployment tiny{.device = kSlow, .shape = kTiny};
  EXPECT_NEAR(seconds(tiny, decode(1, 1, 0)), 0.2006, 1e-12);
  EXPECT_NEAR(seconds(tiny, decode(2, 1, 0)), 0.4, 1e-12);
}

// Two sequences of 50 tokens: 100 * 400 bytes of KV. Compute 2 * 0.2 + 2 * 50 * 400 FLOP = 0.44 s;
// memory 0.2006 + 0.04 = 0.2406 s.
TEST(PassTime, ReadsAndAttendsTheContext) {
  const Deployment tiny{.device = kSlow, .shape = kTiny};
  EXPECT_NEAR(seconds(tiny, decode(2, 1, 50)), 0.44, 1e-12);
  EXPECT_NEAR(step_model(tiny, kPerfect, kNone).memory_per_context * 100.0, 0.04, 1e-15);
}

// Prompt tokens skip the output head: 10 * 2 * 70,000 = 1.4 s, and 10 * 5 pairs of 400 FLOP.
TEST(PassTime, ComputesNoLogitsForPromptTokens) {
  const Deployment tiny{.device = kSlow, .shape = kTiny};
  Pass prefill;
  prefill.tokens_prefill = 10.0;
  prefill.prefill_pairs = 50.0;
  EXPECT_NEAR(seconds(tiny, prefill), 1.42, 1e-12);
}

// fp8: layers 70,000 at 2 MFLOP/s, head 30,000 at 1: 0.07 + 0.06 = 0.13 s. Memory:
// 70,000 + 2 * 30,300 = 130,600 bytes: 0.1306 s. Without fp8 units the bytes stay, compute is bf16.
TEST(PassTime, InFp8HalvesLayersButNotTheHead) {
  const Deployment tiny{.device = kSlow, .shape = kTiny, .precision = Precision::fp8};
  EXPECT_NEAR(seconds(tiny, decode(1, 1, 0)), 0.1306, 1e-12);
  EXPECT_NEAR(seconds(tiny, decode(2, 1, 0)), 0.26, 1e-12);
  Device without = kSlow;
  without.fp8_dense = FlopsPerSecond{0.0};
  const Deployment weight_only{.device = without, .shape = kTiny, .precision = Precision::fp8};
  EXPECT_NEAR(seconds(weight_only, decode(2, 1, 0)), 0.4, 1e-12);
  EXPECT_NEAR(step_model(weight_only, kPerfect, kNone).memory_weights, 0.1306, 1e-12);
}

// Efficiencies 0.5 * 0.8 double-scale both sides; a quarter of the lesser is not hidden:
// compute 0.4 / 0.4 = 1.0 s, memory 0.2006 / 0.4 = 0.5015 s: 1.0 + 0.25 * 0.5015.
TEST(PassTime, ScalesByEfficienciesAndAddsTheOverlapLoss) {
  const Deployment tiny{.device = kSlow, .shape = kTiny};
  EngineOverheads overheads = kNone;
  overheads.compute_factor = overheads.memory_factor = 0.8;
  const KernelEfficiency kernels{
      .compute = 0.5, .memory = 0.5, .overlap_loss = 0.25, .measured = false};
  EXPECT_NEAR(pass_time(step_model(tiny, kernels, overheads), decode(2, 1, 0)).count(), 1.125375,
              1e-12);
}

// Host: 1 per pass + 2 sequences * 0.3 + 5 prompt tokens * 0.01 = 1.65; devices: one layer 0.1 +
// 0.2 (fp8). The roofline is 2 * 0.13 + 5 * 0.07 = 0.61 (compute bound).
TEST(PassTime, AddsEveryOverheadOnce) {
  const Deployment tiny{.device = kSlow, .shape = kTiny, .precision = Precision::fp8};
  EngineOverheads overheads = kNone;
  overheads.per_pass = Seconds{1.0};
  overheads.per_layer = Seconds{0.1};
  overheads.per_quantised_layer = Seconds{0.2};
  overheads.per_sequence = Seconds{0.3};
  overheads.per_prefill_token = Seconds{0.01};
  const StepModel model = step_model(tiny, kPerfect, overheads);
  Pass pass = decode(2, 1, 0);
  pass.tokens_prefill = 5.0;
  EXPECT_NEAR(host_seconds(model, pass), 1.65, 1e-12);
  EXPECT_NEAR(device_seconds(model, pass), 0.3 + 0.61, 1e-12);
  EXPECT_NEAR(pass_time(model, pass).count(), 2.56, 1e-12);
}

// Two devices halve 0.4 s of compute to 0.2 s. Two all-reduces of 2 tokens * 200 bytes, each
// 4.3 us + 400 / (0.5 * 100 kB/s) = 8 ms; times the engine's factor of 2: 4 * (4.3 us + 8 ms).
TEST(PassTime, DividesByTheGroupAndPaysForItsCollectives) {
  const Deployment pair{.device = kSlow, .shape = kTiny, .tensor_parallel = 2};
  EngineOverheads overheads = kNone;
  overheads.collective_factor = 2.0;
  EXPECT_NEAR(pass_time(step_model(pair, kPerfect, overheads), decode(2, 1, 0)).count(),
              0.2 + 4.0 * (4.3e-6 + 8e-3), 1e-12);
}

TEST(PassTime, IsZeroWithoutTokens) {
  const StepModel model = step_model(
      {.device = *find_device("H100-SXM-80"), .shape = *find_model_shape("llama-3.1-8b")});
  EXPECT_EQ(pass_time(model, {}), Seconds{0.0});
  EXPECT_EQ(round_time(model, decode(8, 1, 10), 0.0), Seconds{0.0});
}

// The host schedules a round of two draft passes once: 2 * 0.4 s of device time + 1 s.
TEST(RoundTime, RepeatsTheDevicesButNotTheHost) {
  EngineOverheads overheads = kNone;
  overheads.per_pass = Seconds{1.0};
  const StepModel model = step_model({.device = kSlow, .shape = kTiny}, kPerfect, overheads);
  EXPECT_NEAR(round_time(model, decode(2, 1, 0), 2.0).count(), 1.8, 1e-12);
  EXPECT_EQ(round_time(model, decode(2, 1, 0), 1.0), pass_time(model, decode(2, 1, 0)));
}

// On large matrices, 256 rows take 1.17 times (H100) and 1.27 times (L40S) as long as one row.
// @source means over the GEMM tables of aiconfigurator, weights of 60 to 800 MB.
TEST(RooflineWithOverlapLoss, MakesVerificationWidthCost) {
  const struct {
    const char* device;
    double measured;
  } cases[] = {{"H100-SXM-80", 1.168}, {"L40S-48", 1.275}};
  for (const auto& [name, measured] : cases) {
    const StepModel model =
        step_model({.device = *find_device(name), .shape = *find_model_shape("llama-3.1-8b")});
    const auto roofline = [&model](double rows) {
      return device_seconds(model, decode(rows, 1, 0)) - model.device_fixed;
    };
    EXPECT_NEAR(roofline(256.0) / roofline(1.0), measured, 0.1) << name;
  }
}

// Median TPOT of Llama-3.1-70B FP8 under vLLM on H100 SXM, prompt 1,024, output 8,192, four busy
// sequences: 17.971, 11.995 and 9.195 ms for 2, 4 and 8 devices. Prefill is 1 token in 9, so TPOT
// is the decode pass at the mean context of 1,024 + 4,096. In-sample: these rows were fitted.
// @source aiconfigurator silicon samples.
TEST(PassTime, LandsOnMeasuredDecodeStepsOfALargeModel) {
  const double measured[] = {17.971e-3, 11.995e-3, 9.195e-3};
  const std::uint32_t groups[] = {2, 4, 8};
  for (int i = 0; i < 3; ++i) {
    const StepModel model = step_model({.device = *find_device("H100-SXM-80"),
                                        .shape = *find_model_shape("llama-3.1-70b"),
                                        .precision = Precision::fp8,
                                        .tensor_parallel = groups[i]});
    EXPECT_NEAR(pass_time(model, decode(4, 1, 5120)).count() / measured[i], 1.0, 0.08) << groups[i];
  }
}

// Two sequences of 50 tokens and 5 prompt tokens with 15 pairs:
// 2 * 70,000 * 7 + 2 * 30,000 * 2 + 400 (2 * 50 + 15).
TEST(PassFlops, CountsUsefulArithmetic) {
  Pass pass = decode(2, 1, 50);
  pass.tokens_prefill = 5.0;
  pass.prefill_pairs = 15.0;
  EXPECT_EQ(pass_flops(kTiny, pass), Flops{980'000.0 + 120'000.0 + 46'000.0});
}

}  // namespace
}  // namespace specroute::models
