/// @file
/// How many KV blocks an engine can hold beside its weights.
#pragma once

#include <cstdint>

#include <specroute/vocab/units.hpp>

#include "models/devices/step_time.hpp"

namespace specroute::models {

/// How the engine divides device memory.
struct MemoryPlan {
  double utilisation = 0.9;         ///< share the engine may use, in (0, 1]; vLLM's default
  Bytes activation_reserve{1.5e9};  ///< per device: activations of the largest pass, CUDA graphs
  std::uint32_t block_tokens = 16;  ///< tokens per KV block, >= 1; vLLM's default
  Bytes other_weights{0.0};         ///< of a draft on the same devices, over the whole group
  Bytes other_kv_per_token{0.0};    ///< that it keeps on each device beside the target's
};

/// Blocks of one engine, counted on one device of the group (all hold the same number):
/// floor((memory * utilisation - (weights + other weights) / tp - reserve)
///       / (block_tokens * (kv_bytes / shards + other_kv_per_token))),
/// shards = min(tp, KV heads). With KV heads divisible by tp this is the group's sum
/// (memory * utilisation * tp - weights - tp * reserve) / (block_tokens * kv_bytes).
/// @return 0 where not even the weights fit; the caller reports that as a scenario error.
/// @source vLLM, `determine_num_available_blocks`: memory after a profiling pass / block bytes.
[[nodiscard]] std::int64_t kv_blocks(const Deployment& deployment, const MemoryPlan& plan);

}  // namespace specroute::models
