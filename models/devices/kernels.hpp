/// @file
/// How long a matrix product and a decode attention take on a device: a roofline whose two limits
/// blend, plus the latency of launching a kernel. Fitted on kernel tables alone.
///
/// Matrix product of m rows, n columns, k deep:
///   launch + (C^s + M^s)^(1/s),  C = 2 m n k / (peak e_c),
///   M = (weight bytes n k + 2 (m k + m n)) / (bandwidth e_m) (1 + w m / (m + 32)).
/// s is the sharpness of the knee: infinite is max(C, M), 1 is their sum. w is what tiles lose
/// against reading for a single row. Both make a wider verification cost something while memory
/// still dominates (docs/validation.md compares 256 rows with one).
///
/// Decode attention of `batch` sequences with `kv_heads` on the device and `kv_tokens` each:
///   launch + task batch kv_heads + K / bandwidth (1 / e_a + S / streams),
///   K = 2 batch kv_heads kv_tokens d bytes, streams = batch kv_heads max(1, kv_tokens / 512):
/// a kernel that has split the work into few streams cannot fill the memory pipe; S streams halve
/// the rate. A working set that fits the last-level cache, read again and again as benchmarks do,
/// takes `cache_rate` in place of e_a; in serving the layers between evict it.
///
/// @source Williams et al., "Roofline", CACM 52(4), 2009; GEMM and decode-attention tables of
/// NVIDIA aiconfigurator (vLLM 0.14; H100 SXM and L40S): mean absolute error 5.6 and 5.7 % of 1,120
/// products each, 8.7 and 9.0 % of 1,904 attentions each (docs/validation.md).
/// tests/fit/fit_kernels refits them; the optimum is flat, and a refit moves no error by more than
/// 0.3 points. Valid from 1 to 8,192 rows, n and k from 4,096 to 65,536, head dimension 128. Tile
/// and wave quantisation (rows rounded up to 64 or 128, whole waves of multiprocessors) were tried
/// and did not lower the error, so they are not in the model.
#pragma once

#include <specroute/vocab/units.hpp>

#include "models/devices/device.hpp"

namespace specroute::models {

/// Matrix products of one generation. The shares are of the datasheet's peaks, in (0, 1].
struct GemmKernel {
  Seconds launch{0.0};
  double compute = 1.0;     ///< e_c
  double memory = 1.0;      ///< e_m
  double sharpness = 4.0;   ///< s, >= 1
  double width_loss = 0.0;  ///< w, >= 0
};

/// Attention of one generation.
struct AttentionKernel {
  Seconds launch{0.0};
  Seconds task{0.0};             ///< per sequence and KV head
  double memory = 1.0;           ///< e_a
  double cache_rate = 1.0;       ///< in place of e_a for cached working sets
  double half_streams = 0.0;     ///< S
  bool splits_single = true;     ///< whether one query head per KV head is split along the context
  double prefill_compute = 0.5;  ///< share of the bf16 peak that prefill's attention reaches
};

struct Kernels {
  GemmKernel gemm;
  AttentionKernel attention;
  bool measured = false;  ///< false: taken from the nearest measured generation
};

/// Hopper and Ada from their tables, the rest from the nearest of the two.
[[nodiscard]] Kernels kernels(Generation generation);

/// Arithmetic and memory traffic of one matrix product.
struct GemmWork {
  double rows = 0.0;
  double flops = 0.0;
  double bytes = 0.0;
};

/// @param weight_bytes per element of the n x k side; activations are two bytes.
[[nodiscard]] constexpr GemmWork gemm_work(double m, double n, double k, double weight_bytes) {
  return {.rows = m, .flops = 2.0 * m * n * k, .bytes = weight_bytes * n * k + 2.0 * m * (k + n)};
}

/// @param peak the arithmetic peak that applies to these operands. @return 0 without work.
[[nodiscard]] Seconds gemm_time(const GemmKernel& kernel, const GemmWork& work, FlopsPerSecond peak,
                                BytesPerSecond bandwidth);

/// One call of decode attention on one device.
struct AttentionCall {
  double batch = 1.0;
  double query_heads = 1.0;  ///< on this device, as are the KV heads
  double kv_heads = 1.0;
  double kv_tokens = 1.0;
  double head_dimension = 128.0;
  double element_bytes = 2.0;
};

/// Stand-alone, repeated: a working set below the last-level cache is read from there.
[[nodiscard]] Seconds attention_time(const Device& device, const AttentionKernel& kernel,
                                     const AttentionCall& call);

/// Context tokens per stream of a split attention.
inline constexpr double kTokensPerStream = 512.0;

}  // namespace specroute::models
