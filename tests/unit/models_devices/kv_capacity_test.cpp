/// @file
/// KV blocks of an engine.
#include <gtest/gtest.h>

#include "models/devices/kv_capacity.hpp"

namespace specroute::models {
namespace {

Deployment deploy(const char* device, const char* shape, Precision precision,
                  std::uint32_t tensor_parallel) {
  return {.device = *find_device(device),
          .shape = *find_model_shape(shape),
          .precision = precision,
          .tensor_parallel = tensor_parallel};
}

// 80e9 * 0.9 - 9,081,200,640 - 1.5e9 = 61,418,799,360 bytes; a block is 16 * 131,072 = 2,097,152:
// 29,286.76 blocks.
TEST(KvBlocks, AreWhatWeightsAndReserveLeave) {
  EXPECT_EQ(kv_blocks(deploy("H100-SXM-80", "llama-3.1-8b", Precision::fp8, 1), {}), 29'286);
}

// 24e9 * 0.9 - 16,060,522,496 - 1.5e9 = 4,039,477,504 bytes: 1,926.2 blocks.
TEST(KvBlocks, ShrinkWithTheCard) {
  EXPECT_EQ(kv_blocks(deploy("A10G-24", "llama-3.1-8b", Precision::bf16, 1), {}), 1'926);
}

// Per card: 72e9 - weights / 2 - 1.5e9; a block's half is 16 * 65,536.
// 70B fp8: layers 80 (2 * 8192 * 128 * 72 + 3 * 8192 * 28672) = 68,451,041,280 bytes, the other
// 70,553,706,496 - 68,451,041,280 = 2,102,665,216 parameters twice: 72,656,371,712 in all.
// (72e9 - 36,328,185,856 - 1.5e9) / (16 * 327,680 / 2) = 34,171,814,144 / 2,621,440 = 13,035.5.
TEST(KvBlocks, AreSharedOutOverATensorParallelGroup) {
  EXPECT_EQ(kv_blocks(deploy("H100-SXM-80", "llama-3.1-70b", Precision::fp8, 2), {}), 13'035);
}

// 16 devices on 8 KV heads: each holds one head, as with 8; only the weights shrink.
// (72e9 - 72,656,371,712 / 16 - 1.5e9) / (16 * 327,680 / 8) = 65,958,976,768 / 655,360 = 100,645.4.
TEST(KvBlocks, ReplicateHeadsBeyondTheirNumber) {
  EXPECT_EQ(kv_blocks(deploy("H100-SXM-80", "llama-3.1-70b", Precision::fp8, 16), {}), 100'645);
}

TEST(KvBlocks, AreNoneWhereTheWeightsDoNotFit) {
  EXPECT_EQ(kv_blocks(deploy("A10G-24", "llama-3.1-70b", Precision::fp8, 1), {}), 0);
}

TEST(KvBlocks, HoldTwiceAsManyTokensInOneByte) {
  Deployment deployment = deploy("H100-SXM-80", "llama-3.1-8b", Precision::fp8, 1);
  deployment.kv_element_bytes = 1.0;
  EXPECT_EQ(kv_blocks(deployment, {}), 58'573);  // 61,418,799,360 / 1,048,576 = 58,573.5
}

// A fault of a public simulator: swapping the GPU changed its label, not the physics.
TEST(GpuSwap, MovesBothStepTimeAndCapacity) {
  const Pass decode{
      .sequences = 32.0, .tokens_decode = 32.0, .tokens_prefill = 0.0, .context_tokens = 32000.0};
  const Deployment before = deploy("H100-SXM-80", "llama-3.1-8b", Precision::bf16, 1);
  const Deployment after = deploy("L40S-48", "llama-3.1-8b", Precision::bf16, 1);
  EXPECT_GT(pass_time(step_model(after), decode), 2.0 * pass_time(step_model(before), decode));
  EXPECT_LT(kv_blocks(after, {}), kv_blocks(before, {}) / 2);
}

}  // namespace
}  // namespace specroute::models
