/// @file
/// The gates that a policy module offers.
#pragma once

#include <string>
#include <vector>

#include <specroute/policy_abi.h>

namespace specroute::sim {

/// Names of its gates, in its order, read off the schema of its configuration; none where that
/// schema lists none.
[[nodiscard]] std::vector<std::string> gate_names(const srp_module& module);

}  // namespace specroute::sim
