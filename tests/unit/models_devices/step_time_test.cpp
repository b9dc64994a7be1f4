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
                       .last_level_cache = Bytes{0.0},
                       .link = BytesPerSecond{1e5},
                       .pcie = BytesPerSecond{1e4},
                       .power = {},
                       .usd_per_hour = {},
                       .cross_checked = CrossCheck::yes,
                       .source = "this test"};

// A knee so sharp that the greater limit is all that counts.
constexpr Kernels kPerfect{
    .gemm = {.sharpness = 1e4}, .attention = {.prefill_compute = 1.0}, .measured = false};
constexpr EngineOverheads kNone{};

Pass decode(double sequences, double positions, double context) {
  return {.sequences = sequences,
          .tokens_decode = sequences * positions,
          .tokens_prefill = 0.0,
          .context_tokens = sequences * context};
}

double seconds(const Deployment& deployment, const Pass& pass) {
  return pass_time(step_model(deployment, kPerfect, kNone), pass).count();
}

// One token. Products, by memory: queries-keys-values 2 * 300 * 100 + 2 (100 + 300) = 60,800 bytes,
// output 20,400, gate-up 40,600, down 20,400, head 60,800: 0.203 s. Activations 2 bytes
// (800 + 600 + 300) = 3,400: 0.0034 s. Two tokens, by compute: 2 * 2 (70,000 + 30,000) FLOP: 0.4 s.
TEST(PassTime, IsTheSlowerOfComputeAndMemoryPerProduct) {
  const Deployment tiny{.device = kSlow, .shape = kTiny};
  EXPECT_NEAR(seconds(tiny, decode(1, 1, 0)), 0.203 + 0.0034, 1e-12);
  EXPECT_NEAR(seconds(tiny, decode(2, 1, 0)), 0.4 + 0.0068, 1e-12);
}

// Two sequences of 50 tokens: 100 * 400 bytes of KV take 0.04 s; attending them, 100 pairs of 400
// FLOP, as long. A draft of two more tokens triples the pairs: 0.12 s.
TEST(PassTime, ReadsOrAttendsTheContext) {
  const StepModel model = step_model({.device = kSlow, .shape = kTiny}, kPerfect, kNone);
  EXPECT_NEAR(attention_seconds(model, decode(2, 1, 50)), 0.04, 1e-12);
  EXPECT_NEAR(attention_seconds(model, decode(2, 3, 50)), 0.12, 1e-12);
}

// A task of 1 ms per sequence, and streams: 5 half-streams of 400 bytes a token take 2 ms a token
// of mean context, up to 512 of them.
TEST(PassTime, PaysForTasksAndForTheRampOfStreams) {
  Kernels kernels = kPerfect;
  kernels.attention.task = Seconds{1e-3};
  kernels.attention.half_streams = 5.0;
  const StepModel model = step_model({.device = kSlow, .shape = kTiny}, kernels, kNone);
  EXPECT_NEAR(attention_seconds(model, decode(2, 1, 50)), 0.04 + 2e-3 + 50 * 2e-3, 1e-12);
  EXPECT_NEAR(attention_seconds(model, decode(2, 1, 1000)), 0.8 + 2e-3 + 512 * 2e-3, 1e-12);
}

// Ten prompt tokens of one sequence: layers 10 * 2 * 70,000 = 1.4 s, activations 0.034 s, one head
// position 0.0608 s, and 50 pairs of 400 FLOP: 0.02 s.
TEST(PassTime, SamplesOneTokenOfAPrompt) {
  Pass prefill;
  prefill.sequences = 1.0;
  prefill.tokens_prefill = 10.0;
  prefill.prefill_pairs = 50.0;
  EXPECT_NEAR(seconds({.device = kSlow, .shape = kTiny}, prefill), 1.4 + 0.034 + 0.0608 + 0.02,
              1e-12);
}

// fp8: 70,000 layer bytes at one byte each, activations of products 4,400 bytes at two (800 + 400 +
// 600 + 400... = 2,200 values): by memory 0.0722 s; head 0.0608 s. Two tokens by compute:
// 2 * 0.07 s and 2 * 0.06 s. Half of e_c in fp8: 2 * 0.14 s. Without fp8 units: bf16.
TEST(PassTime, InFp8HalvesLayersButNotTheHead) {
  const Deployment tiny{.device = kSlow, .shape = kTiny, .precision = Precision::fp8};
  EXPECT_NEAR(seconds(tiny, decode(1, 1, 0)), 0.0722 + 0.0608 + 0.0034, 1e-12);
  EXPECT_NEAR(seconds(tiny, decode(2, 1, 0)), 0.14 + 0.12 + 0.0068, 1e-12);
  EngineOverheads half = kNone;
  half.fp8_compute = 0.5;
  EXPECT_NEAR(pass_time(step_model(tiny, kPerfect, half), decode(2, 1, 0)).count(),
              0.28 + 0.12 + 0.0068, 1e-12);
  Device without = kSlow;
  without.fp8_dense = FlopsPerSecond{0.0};
  const Deployment weight_only{.device = without, .shape = kTiny, .precision = Precision::fp8};
  EXPECT_NEAR(seconds(weight_only, decode(2, 1, 0)), 0.28 + 0.12 + 0.0068, 1e-12);
}

// Host: 1 per pass + 2 sequences * 0.3 + 5 prompt tokens * 0.01 = 1.65; devices: one layer 0.1 +
// 0.2 (fp8), beside what the pass takes without overheads.
TEST(PassTime, AddsEveryOverheadOnce) {
  const Deployment tiny{.device = kSlow, .shape = kTiny, .precision = Precision::fp8};
  EngineOverheads overheads = kNone;
  overheads.per_pass = Seconds{1.0};
  overheads.per_layer = Seconds{0.1};
  overheads.per_quantised_layer = Seconds{0.2};
  overheads.per_sequence = Seconds{0.3};
  overheads.per_prefill_token = Seconds{0.01};
  overheads.graph_tokens = 100.0;
  const StepModel model = step_model(tiny, kPerfect, overheads);
  Pass pass = decode(2, 1, 0);
  pass.tokens_prefill = 5.0;
  EXPECT_NEAR(host_seconds(model, pass), 1.65, 1e-12);
  EXPECT_NEAR(device_seconds(model, pass), 0.3 + seconds(tiny, pass), 1e-12);
  EXPECT_NEAR(pass_time(model, pass).count(), 1.95 + seconds(tiny, pass), 1e-12);
}

// Without a graph a pass with prompt tokens takes at least 7 s a layer; decoding alone does not.
TEST(PassTime, HasAFloorWhereKernelsAreLaunchedOneByOne) {
  EngineOverheads overheads = kNone;
  overheads.eager_per_layer = Seconds{7.0};
  overheads.graph_tokens = 4.0;
  const StepModel model = step_model({.device = kSlow, .shape = kTiny}, kPerfect, overheads);
  Pass pass = decode(2, 1, 0);
  EXPECT_LT(device_seconds(model, pass), 1.0);
  pass.tokens_prefill = 2.0;
  EXPECT_LT(device_seconds(model, pass), 1.0);
  pass.tokens_prefill = 3.0;
  EXPECT_EQ(device_seconds(model, pass), 7.0);
}

// Two devices halve 0.4 s of compute to 0.2 s; activations keep 1,600 of 6,800 bytes whole:
// 2 * 2 (800 + 450) = 5,000. Two all-reduces of 2 tokens * 200 bytes, each 4.26 us +
// 400 / (0.463 * 100 kB/s).
TEST(PassTime, DividesByTheGroupAndPaysForItsCollectives) {
  const Deployment pair{.device = kSlow, .shape = kTiny, .tensor_parallel = 2};
  EXPECT_NEAR(seconds(pair, decode(2, 1, 0)), 0.2 + 0.005 + 2.0 * (4.26e-6 + 400.0 / 46.3e3),
              1e-12);
}

// Four experts, two a token. One token visits two: gate-up reads 2 * 2 * 200 * 100 + 2 * 2 (100 +
// 200) bytes, down 40,000 + 800; activations of the gated MLP double.
TEST(PassTime, ReadsTheExpertsThatTokensVisit) {
  ModelShape shape = kTiny;
  shape.experts = 4;
  shape.experts_per_token = 2;
  const double dense_part = 0.0608 + 0.0204 + 0.0608;
  const double experts = (80'000.0 + 1'200.0 + 40'000.0 + 800.0) / 1e6;
  EXPECT_NEAR(seconds({.device = kSlow, .shape = shape}, decode(1, 1, 0)),
              dense_part + experts + 0.004, 1e-12);
}

TEST(PassTime, IsZeroWithoutTokens) {
  const StepModel model = step_model(
      {.device = *find_device("H100-SXM-80"), .shape = *find_model_shape("llama-3.1-8b")});
  EXPECT_EQ(pass_time(model, {}), Seconds{0.0});
  EXPECT_EQ(round_time(model, decode(8, 1, 10), 0.0), Seconds{0.0});
}

// The host schedules a round of two draft passes once: 2 * 0.4068 s of device time + 1 s.
TEST(RoundTime, RepeatsTheDevicesButNotTheHost) {
  EngineOverheads overheads = kNone;
  overheads.per_pass = Seconds{1.0};
  const StepModel model = step_model({.device = kSlow, .shape = kTiny}, kPerfect, overheads);
  EXPECT_NEAR(round_time(model, decode(2, 1, 0), 2.0).count(), 1.8136, 1e-12);
  EXPECT_EQ(round_time(model, decode(2, 1, 0), 1.0), pass_time(model, decode(2, 1, 0)));
}

// On large matrices, 256 rows take 1.17 times (H100) and 1.27 times (L40S) as long as one row.
// @source means over the GEMM tables of aiconfigurator, weights of 60 to 800 MB.
TEST(StepModel, MakesVerificationWidthCost) {
  const struct {
    const char* device;
    double measured;
  } cases[] = {{"H100-SXM-80", 1.168}, {"L40S-48", 1.275}};
  for (const auto& [name, measured] : cases) {
    const Device& device = *find_device(name);
    const Kernels found = kernels(device.generation);
    const auto seconds_of = [&](double rows) {
      return gemm_time(found.gemm, gemm_work(rows, 16384.0, 8192.0, 2.0), device.bf16_dense,
                       device.memory_bandwidth)
          .count();
    };
    EXPECT_NEAR(seconds_of(256.0) / seconds_of(1.0), measured, 0.1) << name;
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
