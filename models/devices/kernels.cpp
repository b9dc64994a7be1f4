#include "models/devices/kernels.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"

namespace specroute::models {

Kernels kernels(Generation generation) {
  // Launch latency of products: the H100 table's 4.0 us. The L40S table cannot tell it from 0 (its
  // cache hides what small products read), so it shares the value at 0.2 % of error.
  constexpr Seconds kLaunch{4.0e-6};
  constexpr Kernels kHopper{.gemm = {.launch = kLaunch,
                                     .compute = 0.847,
                                     .memory = 0.917,
                                     .sharpness = 6.15,
                                     .width_loss = 0.031},
                            .attention = {.launch = Seconds{10.3e-6},
                                          .task = Seconds{10.1e-9},
                                          .memory = 0.907,
                                          .cache_rate = 1.34,
                                          .half_streams = 47.8,
                                          .splits_single = true},
                            .measured = true};
  constexpr Kernels kAda{.gemm = {.launch = kLaunch,
                                  .compute = 0.740,
                                  .memory = 0.838,
                                  .sharpness = 5.25,
                                  .width_loss = 0.182},
                         .attention = {.launch = Seconds{9.7e-6},
                                       .task = Seconds{9.1e-9},
                                       .memory = 0.838,
                                       .cache_rate = 3.44,
                                       .half_streams = 18.5,
                                       .splits_single = false},
                         .measured = true};
  const auto like = [](Kernels nearest) {
    nearest.measured = false;
    return nearest;
  };
  switch (generation) {
    case Generation::hopper:
      return kHopper;
    case Generation::ada:
      return kAda;
    // Data-centre parts with HBM stand nearer to Hopper, graphics memory nearer to the L40S.
    case Generation::blackwell:
    case Generation::ampere_hbm:
    case Generation::volta:
    case Generation::cdna3:
    case Generation::gaudi3:
    case Generation::tpu_v5e:
      return like(kHopper);
    case Generation::ampere_gddr:
    case Generation::turing:
      return like(kAda);
  }
  check(false, "every generation has its kernels");
  return kHopper;
}

Seconds gemm_time(const GemmKernel& kernel, const GemmWork& work, FlopsPerSecond peak,
                  BytesPerSecond bandwidth) {
  if (!(work.flops > 0.0)) return Seconds{0.0};
  const double compute = work.flops / (peak.value() * kernel.compute);
  constexpr double kHalfWidth = 32.0;
  const double width = 1.0 + kernel.width_loss * work.rows / (work.rows + kHalfWidth);
  const double memory = work.bytes / (bandwidth.value() * kernel.memory) * width;
  const double greater = std::max(compute, memory);
  const double ratio = std::min(compute, memory) / greater;
  return kernel.launch +
         Seconds{greater * portable::pow(1.0 + portable::pow(ratio, kernel.sharpness),
                                         1.0 / kernel.sharpness)};
}

Seconds attention_time(const Device& device, const AttentionKernel& kernel,
                       const AttentionCall& call) {
  const double tasks = call.batch * call.kv_heads;
  const double bytes = 2.0 * tasks * call.kv_tokens * call.head_dimension * call.element_bytes;
  // Beyond four fifths of the cache, queries and outputs push the keys out.
  constexpr double kUsableCache = 0.8;
  const bool cached = bytes < kUsableCache * device.last_level_cache.value();
  const bool split = kernel.splits_single || call.query_heads > call.kv_heads;
  const double streams = tasks * (split ? std::max(1.0, call.kv_tokens / kTokensPerStream) : 1.0);
  const double per_byte =
      1.0 / (cached ? kernel.cache_rate : kernel.memory) + kernel.half_streams / streams;
  return kernel.launch + kernel.task * tasks +
         Seconds{bytes / device.memory_bandwidth.value() * per_byte};
}

}  // namespace specroute::models
