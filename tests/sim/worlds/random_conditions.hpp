/// @file
/// Engine changes, odd overrides and telemetry faults for random worlds.
#pragma once

#include <cstdint>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// Adds some to a world that has its fleet already. Draws from streams of its own.
void draw_conditions(Scenario& scenario, std::uint64_t seed);

}  // namespace specroute::sim
