/// @file
/// The rows that a run wrote of its requests, read back: a second account of what became of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/world/run_result.hpp"

namespace specroute::sim {

struct RequestRow {
  std::uint64_t request = 0;
  std::string request_class;
  double arrival = 0.0;
  std::string state;
  double at = 0.0;
  double first_token = 0.0;  ///< NaN where none was emitted
  std::string prompt;
  std::uint64_t emitted = 0;
  std::uint64_t retries = 0;
  bool loop = false;
  bool schema = false;
  bool corruption = false;
  std::string tenant;
  std::uint64_t session = 0;
  std::string first_cause;  ///< empty, as the rest, where nothing degraded it
  std::string pairing;      ///< "target+draft"
  std::string owners;
  std::string decision;  ///< its index
};

[[nodiscard]] std::vector<RequestRow> request_rows(const RunResult& result);

/// Sum of the metrics whose path begins with `prefix`.
[[nodiscard]] double sum_of(const RunResult& result, const std::string& prefix);

}  // namespace specroute::sim
