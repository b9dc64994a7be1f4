#include "models/devices/overheads.hpp"

namespace specroute::models {

KernelEfficiency kernel_efficiency(Generation generation) {
  constexpr KernelEfficiency kHopper{
      .compute = 0.864, .memory = 0.915, .overlap_loss = 0.18, .measured = true};
  constexpr KernelEfficiency kAda{
      .compute = 0.82, .memory = 0.79, .overlap_loss = 0.30, .measured = true};
  // HBM parts of the same maker behave like Hopper, GDDR6 parts like the L40S.
  constexpr KernelEfficiency kLikeHopper{
      .compute = 0.83, .memory = 0.88, .overlap_loss = 0.20, .measured = false};
  constexpr KernelEfficiency kLikeAda{
      .compute = 0.80, .memory = 0.79, .overlap_loss = 0.30, .measured = false};
  // Nothing nearby was measured: below both, so that a plan does not count on it.
  constexpr KernelEfficiency kUnknown{
      .compute = 0.65, .memory = 0.75, .overlap_loss = 0.30, .measured = false};
  switch (generation) {
    case Generation::hopper:
      return kHopper;
    case Generation::ada:
      return kAda;
    case Generation::blackwell:
    case Generation::ampere_hbm:
      return kLikeHopper;
    case Generation::ampere_gddr:
      return kLikeAda;
    case Generation::volta:
    case Generation::turing:
    case Generation::cdna3:
    case Generation::gaudi3:
    case Generation::tpu_v5e:
      return kUnknown;
  }
  return kUnknown;
}

std::optional<EngineFamily> find_engine_family(std::string_view name) {
  if (name == "vllm") return EngineFamily::vllm;
  if (name == "sglang") return EngineFamily::sglang;
  if (name == "trtllm") return EngineFamily::trtllm;
  return std::nullopt;
}

EngineOverheads engine_overheads(EngineFamily family) {
  constexpr auto microseconds = [](double value) { return Seconds{value * 1e-6}; };
  switch (family) {
    case EngineFamily::sglang:
      return {.compute_factor = 1.0,
              .memory_factor = 0.97,
              .collective_factor = 1.1,
              .per_pass = microseconds(950.0),
              .per_layer = microseconds(19.0),
              .per_quantised_layer = microseconds(9.0),
              .per_sequence = microseconds(18.0),
              .per_prefill_token = microseconds(0.95)};
    case EngineFamily::trtllm:
      return {.compute_factor = 0.77,
              .memory_factor = 0.97,
              .collective_factor = 1.15,
              .per_pass = microseconds(800.0),
              .per_layer = microseconds(25.0),
              .per_quantised_layer = microseconds(10.0),
              .per_sequence = microseconds(20.0),
              .per_prefill_token = microseconds(0.85)};
    case EngineFamily::vllm:
      break;
  }
  return {.compute_factor = 0.90,
          .memory_factor = 0.97,
          .collective_factor = 1.15,
          .per_pass = microseconds(1200.0),
          .per_layer = microseconds(27.0),
          .per_quantised_layer = microseconds(9.0),
          .per_sequence = microseconds(24.0),
          .per_prefill_token = microseconds(1.0)};
}

}  // namespace specroute::models
