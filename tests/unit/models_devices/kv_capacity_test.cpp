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

// 81,559 MiB * 0.9 - 9,081,200,640 - 1.5e9 = 66,387,528,345 bytes; a block is 16 * 131,072 =
// 2,097,152: 31,656.0 blocks.
TEST(KvBlocks, AreWhatWeightsAndReserveLeave) {
  EXPECT_EQ(kv_blocks(deploy("H100-SXM-80", "llama-3.1-8b", Precision::fp8, 1), {}), 31'656);
}

// 23,028 MiB * 0.9 - 16,060,522,496 - 1.5e9 = 4,171,424,819 bytes: 1,989.1 blocks.
TEST(KvBlocks, ShrinkWithTheCard) {
  EXPECT_EQ(kv_blocks(deploy("A10G-24", "llama-3.1-8b", Precision::bf16, 1), {}), 1'989);
}

// Per card: 81,559 MiB * 0.9 - weights / 2 - 1.5e9; a block's half is 16 * 65,536.
// 70B fp8: layers 80 (2 * 8192 * 128 * 72 + 3 * 8192 * 28672) = 68,451,041,280 bytes, the other
// 70,553,706,496 - 68,451,041,280 = 2,102,665,216 parameters twice: 72,656,371,712 in all.
// 39,140,543,129 / (16 * 327,680 / 2) = 14,930.9.
TEST(KvBlocks, AreSharedOutOverATensorParallelGroup) {
  EXPECT_EQ(kv_blocks(deploy("H100-SXM-80", "llama-3.1-70b", Precision::fp8, 2), {}), 14'930);
}

// 16 devices on 8 KV heads: each holds one head, as with 8; only the weights shrink.
// (81,559 MiB * 0.9 - 72,656,371,712 / 16 - 1.5e9) / (16 * 327,680 / 8) = 70,927,705,753 / 655,360
// = 108,227.1.
TEST(KvBlocks, ReplicateHeadsBeyondTheirNumber) {
  EXPECT_EQ(kv_blocks(deploy("H100-SXM-80", "llama-3.1-70b", Precision::fp8, 16), {}), 108'227);
}

TEST(KvBlocks, AreNoneWhereTheWeightsDoNotFit) {
  EXPECT_EQ(kv_blocks(deploy("A10G-24", "llama-3.1-70b", Precision::fp8, 1), {}), 0);
}

TEST(KvBlocks, HoldTwiceAsManyTokensInOneByte) {
  Deployment deployment = deploy("H100-SXM-80", "llama-3.1-8b", Precision::fp8, 1);
  deployment.kv_element_bytes = 1.0;
  EXPECT_EQ(kv_blocks(deployment, {}), 63'312);  // 66,387,528,345 / 1,048,576 = 63,312.1
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
