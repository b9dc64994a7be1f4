/// @file
/// Where the backends of a random world stand, and what their engines and drafts are made of.
#pragma once

#include <cstdint>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// Drafts of several targets, co-located drafts, nodes, networks, storage, slow starts, prices.
void draw_hosting(Scenario& scenario, std::uint64_t seed);

/// Whether some draft of `scenario` begins with more than one target.
[[nodiscard]] bool shares_a_draft(const Scenario& scenario);

}  // namespace specroute::sim
