/// @file
/// Which of a scenario's gates are to run.
#pragma once

#include <string>
#include <vector>

#include <specroute/vocab/result.hpp>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// The gates with these labels, in the scenario's order and each once; all where none is named.
/// Fails with a diagnostic for every label that no gate has.
[[nodiscard]] Result<std::vector<Gate>> select_gates(const Scenario& scenario,
                                                     const std::vector<std::string>& labels);

}  // namespace specroute::sim
