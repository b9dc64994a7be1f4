/// @file
/// Reads a scenario with all that other folders know of names: devices, models, metrics, gates.
#pragma once

#include <string>

#include <specroute/policy_abi.h>
#include <specroute/vocab/result.hpp>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// Reads the scenario at `path` with its traces, its gates judged by the policy module. Fails with
/// every fault.
/// @param trace_file played in place of every trace that the scenario names; empty: none
[[nodiscard]] Result<Scenario> load_scenario(const std::string& path, const srp_module& module,
                                             const std::string& trace_file = {});

}  // namespace specroute::sim
