/// @file
/// Kernels against the tables they were fitted on, or of other devices.
#pragma once

#include <specroute/vocab/result.hpp>

#include "sim/validation/comparison.hpp"
#include "sim/validation/data_directory.hpp"

namespace specroute::sim::validation {

/// Matrix products, perf/gemm_bf16_SYSTEM.csv (m, n, k, latency_ms).
[[nodiscard]] Result<Section> gemm_section(const DataDirectory& data);

/// Attention of one new token, perf/decode_attention_SYSTEM.csv (batch_size, query_heads, kv_heads,
/// kv_tokens, latency_ms); head dimension 128, bf16.
[[nodiscard]] Result<Section> attention_section(const DataDirectory& data);

/// All-reduces, perf/allreduce_SYSTEM.csv (gpus, message_elements, latency_ms) of two bytes.
[[nodiscard]] Result<Section> all_reduce_section(const DataDirectory& data);

}  // namespace specroute::sim::validation
