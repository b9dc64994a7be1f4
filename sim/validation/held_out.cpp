#include "sim/validation/held_out.hpp"

#include <algorithm>
#include <array>

namespace specroute::sim::validation {
namespace {

using models::OverheadFit;

constexpr Seconds microseconds(double value) {
  return Seconds{value * 1e-6};
}

struct HeldOut {
  std::string_view name;
  OverheadFit fit;
};

constexpr std::array kModels{
    HeldOut{"Llama-3.1-8B-Instruct",
            OverheadFit{
                .common = {.fp8_compute = 0.6613,
                           .per_quantised_layer = microseconds(5.698),
                           .per_prefill_token = microseconds(0.2394),
                           .eager_per_layer = microseconds(595.3),
                           .per_pass = microseconds(684.8),
                           .per_layer = microseconds(9.439),
                           .per_sequence = microseconds(22.16)},
                .families = {{{.per_pass = 1.2857, .per_layer = 1.3488, .per_sequence = 1.0458},
                              {.per_pass = 1.0241, .per_layer = 1.0217, .per_sequence = 1.2000},
                              {.per_pass = 0.7150, .per_layer = 0.7325, .per_sequence = 0.8059}}}}},
    HeldOut{"Llama-3.1-70B",
            OverheadFit{
                .common = {.fp8_compute = 0.6432,
                           .per_quantised_layer = microseconds(9.76),
                           .per_prefill_token = microseconds(0.1713),
                           .eager_per_layer = microseconds(602.5),
                           .per_pass = microseconds(457.8),
                           .per_layer = microseconds(6.533),
                           .per_sequence = microseconds(17.86)},
                .families = {{{.per_pass = 1.0000, .per_layer = 1.0000, .per_sequence = 1.0000},
                              {.per_pass = 1.1513, .per_layer = 1.1367, .per_sequence = 1.5128},
                              {.per_pass = 0.7650, .per_layer = 0.8693, .per_sequence = 0.6494}}}}},
    HeldOut{"Qwen3-32B",
            OverheadFit{
                .common = {.fp8_compute = 0.7133,
                           .per_quantised_layer = microseconds(21.87),
                           .per_prefill_token = microseconds(0.204),
                           .eager_per_layer = microseconds(590.2),
                           .per_pass = microseconds(479.3),
                           .per_layer = microseconds(4.414),
                           .per_sequence = microseconds(12.72)},
                .families = {{{.per_pass = 1.0105, .per_layer = 1.0078, .per_sequence = 1.1598},
                              {.per_pass = 1.0000, .per_layer = 1.0000, .per_sequence = 1.0000},
                              {.per_pass = 0.8828, .per_layer = 0.9572, .per_sequence = 0.8175}}}}},
};

constexpr std::array kEngines{
    HeldOut{"vllm",
            OverheadFit{
                .common = {.fp8_compute = 0.6432,
                           .per_quantised_layer = microseconds(9.76),
                           .per_prefill_token = microseconds(0.1713),
                           .eager_per_layer = microseconds(602.5),
                           .per_pass = microseconds(457.8),
                           .per_layer = microseconds(6.533),
                           .per_sequence = microseconds(17.86)},
                .families = {{{.per_pass = 1.0000, .per_layer = 1.0000, .per_sequence = 1.0000},
                              {.per_pass = 1.1513, .per_layer = 1.1367, .per_sequence = 1.5128},
                              {.per_pass = 0.7650, .per_layer = 0.8693, .per_sequence = 0.6494}}}}},
    HeldOut{"sglang",
            OverheadFit{
                .common = {.fp8_compute = 0.6463,
                           .per_quantised_layer = microseconds(9.062),
                           .per_prefill_token = microseconds(0.1754),
                           .eager_per_layer = microseconds(605.3),
                           .per_pass = microseconds(381.1),
                           .per_layer = microseconds(11.32),
                           .per_sequence = microseconds(13.47)},
                .families = {{{.per_pass = 1.1400, .per_layer = 1.4345, .per_sequence = 1.1739},
                              {.per_pass = 1.0000, .per_layer = 1.0000, .per_sequence = 1.0000},
                              {.per_pass = 0.7475, .per_layer = 0.7088, .per_sequence = 0.8143}}}}},
    HeldOut{"trtllm",
            OverheadFit{
                .common = {.fp8_compute = 0.7443,
                           .per_quantised_layer = microseconds(13.36),
                           .per_prefill_token = microseconds(0.3835),
                           .eager_per_layer = microseconds(400),
                           .per_pass = microseconds(880.7),
                           .per_layer = microseconds(6.54),
                           .per_sequence = microseconds(26.32)},
                .families = {{{.per_pass = 0.9879, .per_layer = 0.9923, .per_sequence = 0.9510},
                              {.per_pass = 0.9905, .per_layer = 0.9953, .per_sequence = 1.0884},
                              {.per_pass = 1.0000, .per_layer = 1.0000, .per_sequence = 1.0000}}}}},
};

template <std::size_t kCount>
const OverheadFit* find(const std::array<HeldOut, kCount>& fits, std::string_view name) {
  const auto* const found = std::ranges::find(fits, name, &HeldOut::name);
  return found == fits.end() ? nullptr : &found->fit;
}

}  // namespace

const OverheadFit* fit_without_model(std::string_view model) {
  return find(kModels, model);
}

const OverheadFit* fit_without_engine(std::string_view engine) {
  return find(kEngines, engine);
}

}  // namespace specroute::sim::validation
