/// @file
/// Serving points: TPOT and TTFT of whole engines against perf/serving_measured.csv.
#pragma once

#include <specroute/vocab/result.hpp>

#include "sim/validation/comparison.hpp"
#include "sim/validation/data_directory.hpp"

namespace specroute::sim::validation {

/// Each row is simulated as a closed loop (closed_loop.hpp). TPOT stands three times: with the
/// simulator's overheads, and with those fitted without the row's model and without its engine.
/// TTFT was never fitted. Rows of other systems, models or engines are predictions.
[[nodiscard]] Result<Section> serving_section(const DataDirectory& data);

}  // namespace specroute::sim::validation
