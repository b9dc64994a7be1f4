/// @file
/// Where a scenario leaves the range that the models were held to.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// One sentence per reason, each once, in the order of the backends and classes:
///   a device whose generation has no kernel table (step times +-25 %), or whose datasheet figures
///   no second source confirms; more than 8 devices in a tensor-parallel group; head dimensions
///   outside 64 to 128; contexts beyond 32,768 tokens; drafts of more than 8 tokens.
/// They are not errors: the run is made, and its result carries them.
/// @source docs/validation.md: the ranges of the data behind each model.
[[nodiscard]] std::vector<std::string> validity_warnings(const Scenario& scenario);

}  // namespace specroute::sim
