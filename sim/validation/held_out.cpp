#include "sim/validation/held_out.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

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

/// A series of the measurements: every combination, but for what it left out.
struct Series {
  std::string_view engine;
  std::string_view model;
  std::string_view precision;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lengths;  ///< input, output
  std::vector<std::uint32_t> degrees;                            ///< tensor parallel
  std::vector<std::uint32_t> batches;
};

const std::vector<Series>& series() {
  using Lengths = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  static const Lengths nine = {{1024, 128}, {1024, 256}, {1024, 512}, {2048, 128}, {2048, 256},
                               {2048, 512}, {4096, 128}, {4096, 256}, {4096, 512}};
  static const std::vector<Series> all = {
      {"sglang", "Qwen3-32B", "bf16", nine, {2}, {16, 64, 128}},
      {"trtllm", "Llama-3.1-8B-Instruct", "bf16", nine, {1, 2, 4, 8}, {8, 16, 32, 64, 128}},
      {"trtllm", "Qwen3-32B", "fp8", nine, {1, 2, 4, 8}, {8, 16, 32, 64, 128}},
      {"trtllm", "Qwen3-32B", "fp8", {{4000, 1000}}, {1}, {32}},
      {"trtllm", "Qwen3-32B", "fp8", {{4000, 1000}}, {2}, {64}},
      {"trtllm", "Qwen3-32B", "fp8", {{4000, 1000}}, {4}, {128}},
      {"trtllm", "Qwen3-32B", "fp8", {{4000, 1000}}, {8}, {224}},
      {"vllm",
       "Llama-3.1-70B",
       "fp8",
       {{1024, 1024}, {1024, 8192}, {8192, 1024}},
       {2, 4, 8},
       {4, 8, 16, 32, 64}},
  };
  return all;
}

/// Combinations that the series lack: batches of long prompts that did not fit, and one more.
bool left_out(const ServingPoint& point) {
  if (point.input_tokens != 4096) return false;
  const bool full = point.concurrency == 128;
  if (point.engine == "sglang" || point.tensor_parallel == 1) return full;
  return point.precision == "fp8" && point.output_tokens == 512 && point.tensor_parallel == 2 &&
         point.concurrency == 32;
}

template <std::size_t kCount>
const OverheadFit* find(const std::array<HeldOut, kCount>& fits, std::string_view name) {
  const auto* const found = std::ranges::find(fits, name, &HeldOut::name);
  return found == fits.end() ? nullptr : &found->fit;
}

}  // namespace

bool was_fitted(const ServingPoint& point) {
  const auto has = [](const auto& list, const auto& value) {
    return std::ranges::find(list, value) != list.end();
  };
  return !left_out(point) && std::ranges::any_of(series(), [&](const Series& one) {
    return one.engine == point.engine && one.model == point.model &&
           one.precision == point.precision &&
           has(one.lengths, std::pair{point.input_tokens, point.output_tokens}) &&
           has(one.degrees, point.tensor_parallel) && has(one.batches, point.concurrency);
  });
}

const OverheadFit* fit_without_model(std::string_view model) {
  return find(kModels, model);
}

const OverheadFit* fit_without_engine(std::string_view engine) {
  return find(kEngines, engine);
}

}  // namespace specroute::sim::validation
