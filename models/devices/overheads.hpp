/// @file
/// What a roofline leaves out: how far kernels stay below the datasheet (per device generation) and
/// what an engine adds to every pass (per engine family).
///
/// The numbers are a PROVISIONAL fit; docs/model.md says on which rows and with which error.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <specroute/vocab/units.hpp>

#include "models/devices/device.hpp"

namespace specroute::models {

/// Kernels against the datasheet.
struct KernelEfficiency {
  double compute;       ///< reached share of peak arithmetic, in (0, 1]
  double memory;        ///< reached share of memory bandwidth, in (0, 1]
  double overlap_loss;  ///< share of the lesser of compute and memory time that is not hidden
                        ///< behind the greater: 0 is a perfect roofline, 1 is one after the other
  bool measured;        ///< false: taken from the nearest measured generation
};

/// Hopper and Ada follow least-absolute-log-error fits (about 7 %); the rest borrow from them or
/// are cautious.
/// @source GEMM tables of NVIDIA aiconfigurator (vLLM 0.14; H100 SXM and L40S).
[[nodiscard]] KernelEfficiency kernel_efficiency(Generation generation);

/// Inference engines whose overheads are known.
enum class EngineFamily : std::uint8_t { vllm, sglang, trtllm };

/// The family of that spelling, or none.
[[nodiscard]] std::optional<EngineFamily> find_engine_family(std::string_view name);

/// What an engine adds. Times are per forward pass of the whole tensor-parallel group.
struct EngineOverheads {
  double compute_factor;        ///< times the kernels' compute efficiency, in (0, 1]
  double memory_factor;         ///< times the kernels' memory efficiency, in (0, 1]
  double collective_factor;     ///< times the measured all-reduce, >= 1: synchronisation
  Seconds per_pass;             ///< scheduler, graph launch, sampling, detokenisation
  Seconds per_layer;            ///< kernel boundaries of one layer (`f` of the design)
  Seconds per_quantised_layer;  ///< added per layer where weights are fp8: quantising activations
  Seconds per_sequence;         ///< scheduling and sampling one sequence (`h` of the design)
  Seconds per_prefill_token;    ///< host work per prompt token
};

/// @source fitted on the measured serving points of NVIDIA aiconfigurator for H100 SXM.
[[nodiscard]] EngineOverheads engine_overheads(EngineFamily family);

}  // namespace specroute::models
