/// @file
/// Measured serving points, and what our engine model says for each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <specroute/vocab/result.hpp>

#include "models/devices/step_time.hpp"
#include "sim/validation/catalogue_names.hpp"
#include "sim/validation/closed_loop.hpp"
#include "sim/validation/comparison.hpp"
#include "sim/validation/data_directory.hpp"

namespace specroute::sim::validation {

/// One row of perf/serving_measured.csv whose names our catalogues know.
struct ServingRow {
  Group group;
  models::Deployment deployment;
  std::uint32_t input_tokens;
  std::uint32_t output_tokens;
  std::uint32_t concurrency;
  std::optional<double> ttft_ms;  ///< median; absent where it was not measured
  std::optional<double> tpot_ms;  ///< median
  std::string place;
};

/// All rows that can be compared; the others are counted in `skipped`: unknown names, pipeline
/// parallelism, an output of one token, more sequences than a pass has room for, weights or a
/// request that do not fit the memory.
[[nodiscard]] Result<std::vector<ServingRow>> serving_rows(const DataDirectory& data,
                                                           SkippedRows& skipped);

/// Step models of a set of rows: deployments of one kind share theirs.
class StepModels {
 public:
  explicit StepModels(const models::OverheadFit& fit) : fit_(fit) {}
  [[nodiscard]] const models::StepModel& of(const models::Deployment& deployment);

 private:
  struct Known {
    models::Deployment deployment;
    models::StepModel step;
  };
  const models::OverheadFit& fit_;
  std::vector<std::unique_ptr<Known>> known_;
};

/// The closed loop that the row was measured under, as far as it is known.
[[nodiscard]] ClosedLoop loop_of(const ServingRow& row);

}  // namespace specroute::sim::validation
