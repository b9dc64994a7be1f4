/// @file
/// What an engine adds to its kernels: fitted end to end, per engine family.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <specroute/vocab/units.hpp>

namespace specroute::models {

/// Inference engines whose overheads are known.
enum class EngineFamily : std::uint8_t { vllm, sglang, trtllm };

/// The family of that spelling, or none.
[[nodiscard]] std::optional<EngineFamily> find_engine_family(std::string_view name);
/// The JSON spelling.
[[nodiscard]] const char* to_string(EngineFamily family);

/// What one engine adds. Times are per forward pass of the whole tensor-parallel group.
struct EngineOverheads {
  double fp8_compute = 1.0;          ///< times the kernels' e_c where products run in fp8
  Seconds per_quantised_layer{0.0};  ///< per layer where weights are fp8: quantising activations
  Seconds per_prefill_token{0.0};    ///< host work per prompt token
  Seconds eager_per_layer{0.0};      ///< launching a layer's kernels one by one, without a graph
  Seconds per_pass{0.0};             ///< scheduler, graph launch, sampling, detokenisation
  Seconds per_layer{0.0};            ///< gaps and small kernels, beside the launches of `kernels`
  Seconds per_sequence{0.0};         ///< scheduling and sampling one sequence
  /// A pass with prompt tokens and more tokens than this is launched without a CUDA graph: it takes
  /// at least layers * eager_per_layer.
  double graph_tokens = 0.0;
};

/// The sixteen fitted numbers: seven values common to all engines, and for three of them a factor
/// per family, held near 1. An engine that was never measured has the common values.
struct OverheadFit {
  struct Factors {
    double per_pass = 1.0;
    double per_layer = 1.0;
    double per_sequence = 1.0;
  };
  EngineOverheads common;
  std::array<Factors, 3> families;  ///< in the order of `EngineFamily`
};

/// The fit that the simulator uses.
/// @source TPOT of the measured serving points of NVIDIA aiconfigurator (H100 SXM), fitted by
/// tests/fit; errors in and out of sample are in docs/validation.md.
[[nodiscard]] const OverheadFit& overhead_fit();

/// One family's overheads. `graph_tokens` is a fact of the engine and not fitted: SGLang and
/// TensorRT-LLM capture decode passes alone; vLLM compiles its passes and captures mixed ones up to
/// 512 tokens, and its points show no such floor beyond either, so it has none.
/// @source TensorRT-LLM, `cuda_graph_config`; SGLang, `cuda_graph_max_bs`; vLLM,
/// `cudagraph_capture_sizes` and `compilation_config`.
[[nodiscard]] EngineOverheads engine_overheads(EngineFamily family,
                                               const OverheadFit& fit = overhead_fit());

}  // namespace specroute::models
