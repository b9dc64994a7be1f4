#include "models/devices/overheads.hpp"

#include <limits>

#include <specroute/vocab/check.hpp>

namespace specroute::models {
namespace {

constexpr Seconds microseconds(double value) {
  return Seconds{value * 1e-6};
}

}  // namespace

std::optional<EngineFamily> find_engine_family(std::string_view name) {
  for (const EngineFamily family : {EngineFamily::vllm, EngineFamily::sglang, EngineFamily::trtllm})
    if (name == to_string(family)) return family;
  return std::nullopt;
}

const char* to_string(EngineFamily family) {
  switch (family) {
    case EngineFamily::vllm:
      return "vllm";
    case EngineFamily::sglang:
      return "sglang";
    case EngineFamily::trtllm:
      return "trtllm";
  }
  check(false, "every engine family has a name");
  return "";
}

const OverheadFit& overhead_fit() {
  static constexpr OverheadFit kFit{
      .common = {.fp8_compute = 0.6473,
                 .per_quantised_layer = microseconds(8.854),
                 .per_prefill_token = microseconds(0.1677),
                 .eager_per_layer = microseconds(603.5),
                 .per_pass = microseconds(373.5),
                 .per_layer = microseconds(12.2),
                 .per_sequence = microseconds(17.75)},
      .families = {{{.per_pass = 1.0963, .per_layer = 1.3303, .per_sequence = 1.0978},
                    {.per_pass = 1.0565, .per_layer = 1.1263, .per_sequence = 1.3718},
                    {.per_pass = 0.7242, .per_layer = 0.6810, .per_sequence = 0.6508}}}};
  return kFit;
}

EngineOverheads engine_overheads(EngineFamily family, const OverheadFit& fit) {
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  const OverheadFit::Factors& factors = fit.families[static_cast<std::size_t>(family)];
  EngineOverheads overheads = fit.common;
  overheads.per_pass *= factors.per_pass;
  overheads.per_layer *= factors.per_layer;
  overheads.per_sequence *= factors.per_sequence;
  overheads.graph_tokens = family == EngineFamily::vllm ? kNoLimit : 0.0;
  return overheads;
}

}  // namespace specroute::models
