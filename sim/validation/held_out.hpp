/// @file
/// The step-time overheads, fitted again without each model and without each engine of the measured
/// points: what they say about the rows that they never saw is a prediction.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/devices/overheads.hpp"

namespace specroute::sim::validation {

/// One measured serving point, by what tells it from every other.
struct ServingPoint {
  std::string_view engine;
  std::string_view model;
  std::string_view precision;
  std::uint32_t input_tokens;
  std::uint32_t output_tokens;
  std::uint32_t concurrency;
  std::uint32_t tensor_parallel;
};

/// Whether the overheads were fitted on that point of an H100 SXM. Another length, batch or degree
/// of the same engine and model is a prediction.
[[nodiscard]] bool was_fitted(const ServingPoint& point);

/// The fit that saw no row of `model` ("Qwen3-32B"), or null: the rows were never fitted at all.
/// @source tests/fit/fit_step_time on perf/serving_measured.csv
[[nodiscard]] const models::OverheadFit* fit_without_model(std::string_view model);

/// The fit that saw no row of `engine` ("sglang"), or null.
[[nodiscard]] const models::OverheadFit* fit_without_engine(std::string_view engine);

}  // namespace specroute::sim::validation
