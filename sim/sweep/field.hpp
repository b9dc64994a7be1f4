/// @file
/// One field of a scenario that a sweep varies.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/json/json_value.hpp"

namespace specroute::sim {

/// Either a list of values, or a range of numbers. A range is walked in equal steps of the value,
/// or of its logarithm.
struct SweepField {
  std::string pointer;  ///< JSON pointer into the scenario
  std::string name;     ///< what tables call it
  std::vector<JsonValue> values;
  struct Range {
    double from = 0.0;
    double to = 0.0;
    std::size_t steps = 1;  ///< values of a grid, both ends included; 1: `from` alone
    bool logarithmic = false;
    bool whole = false;  ///< rounded to whole numbers
  } range = {};

  [[nodiscard]] bool is_list() const { return !values.empty(); }
  /// Values that a grid has of it.
  [[nodiscard]] std::size_t grid_size() const { return is_list() ? values.size() : range.steps; }
};

/// The k-th value of the grid, from 0.
[[nodiscard]] JsonValue grid_value(const SweepField& field, std::size_t k);

/// The value at a share of the way, [0, 1): a list is cut into equal parts, a range is walked.
[[nodiscard]] JsonValue value_at(const SweepField& field, double share);

}  // namespace specroute::sim
