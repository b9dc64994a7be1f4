/// @file
/// decisions.jsonl: what policy and router decided, one JSON object a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/world/run_result.hpp"

namespace specroute::sim {

/// Where a decision stands: `index` counts from 0 within its gate and seed.
struct DecisionPlace {
  std::string gate;
  std::uint64_t seed;
  std::size_t index;
};

/// One decision as a line, line break included. Dates are in seconds; a date that never comes is
/// "forever", one that is not set is null. `harmful` is the simulator's knowledge, not the
/// policy's. The router's own binds are of type BIND; what only policies say is null or 0 there.
[[nodiscard]] std::string decision_line(const DecisionPlace& place, const DecisionEntry& entry);

}  // namespace specroute::sim
