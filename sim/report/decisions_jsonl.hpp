/// @file
/// decisions.jsonl: what the policy decided, one JSON object a line.
#pragma once

#include <cstdint>
#include <string>

#include "sim/world/run_result.hpp"

namespace specroute::sim {

/// One decision as a line, line break included. Dates are in seconds; a date that never comes is
/// "forever", one that is not set is null. `harmful` is the simulator's knowledge, not the
/// policy's.
[[nodiscard]] std::string decision_line(const std::string& gate, std::uint64_t seed,
                                        const DecisionEntry& entry);

}  // namespace specroute::sim
