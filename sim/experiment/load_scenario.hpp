/// @file
/// Reads a scenario with all that other folders know of names: devices, models, metrics, gates.
#pragma once

#include <string>

#include <specroute/policy_abi.h>
#include <specroute/vocab/result.hpp>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// Reads the scenario at `path`, its gates judged by the policy module. Fails with every fault.
[[nodiscard]] Result<Scenario> load_scenario(const std::string& path, const srp_module& module);

}  // namespace specroute::sim
