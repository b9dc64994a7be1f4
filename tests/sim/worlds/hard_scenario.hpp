/// @file
/// Random worlds with more misfortune than `random_scenario` draws: backends that flap faster than
/// probes notice, gates with short periods, KV caches that fill up, several classes in a pool.
#pragma once

#include <cstdint>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// A world of a few hundred requests; equal seeds give equal worlds.
[[nodiscard]] Scenario hard_scenario(std::uint64_t seed);

}  // namespace specroute::sim
