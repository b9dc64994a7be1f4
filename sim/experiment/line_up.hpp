/// @file
/// Who takes part in a campaign: gates of the scenario, and policies from outside beside them.
#pragma once

#include <string>
#include <vector>

#include <specroute/vocab/result.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/experiment/campaign.hpp"
#include "sim/plugins/plugin.hpp"
#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

struct LineUp {
  std::vector<Gate> gates;           ///< the scenario's that were chosen, then the plug-ins'
  std::vector<Plugin> asked;         ///< every plug-in, in the order of the arguments
  std::vector<Plugin> plugins;       ///< those that can be run
  std::vector<JobFailure> failures;  ///< of the others
};

struct LineUpRequest {
  std::vector<std::string> gates;     ///< labels; empty: all of the scenario's
  std::vector<std::string> policies;  ///< as plugin_argument.hpp reads them
  Seconds policy_timeout = kPolicyTimeout;
};

/// Chooses the gates and looks at the plug-ins, each in a process of its own. Fails with a
/// diagnostic for every unknown label, else with all that the plug-ins' arguments deserve. A
/// plug-in that does wrong is a failure of its own: the others can be run.
[[nodiscard]] Result<LineUp> line_up(const Scenario& scenario, const LineUpRequest& request);

}  // namespace specroute::sim
