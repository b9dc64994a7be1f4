/// @file
/// Whose requests a scenario has.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// The tenants of a class: those of its trace where that has any, else those that it states.
[[nodiscard]] std::vector<std::string> tenants_of(const RequestClass& request_class);

/// The tenants of all classes, each once, in order of first mention.
[[nodiscard]] std::vector<std::string> tenant_names(const Scenario& scenario);

}  // namespace specroute::sim
