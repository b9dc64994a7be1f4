/// @file
/// Replications that gave no result, in words.
#pragma once

#include <string>

#include <specroute/vocab/result.hpp>

#include "sim/experiment/campaign.hpp"

namespace specroute::sim {

/// One diagnostic per failed replication of the scenario at `path`.
[[nodiscard]] Diagnostics failure_diagnostics(const std::string& path, const Campaign& campaign);

/// The diagnostics, those without a file put into `path`.
[[nodiscard]] Diagnostics in_file(const std::string& path, Diagnostics faults);

}  // namespace specroute::sim
