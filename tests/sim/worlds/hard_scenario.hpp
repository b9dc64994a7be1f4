/// @file
/// Random worlds with more misfortune than `random_scenario` draws: backends that flap faster than
/// probes notice, gates with short periods, KV caches that fill up, several classes in a pool.
#pragma once

#include <cstdint>
#include <string>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// A world of a few hundred requests; equal seeds give equal worlds.
[[nodiscard]] Scenario hard_scenario(std::uint64_t seed);

/// A gate's configuration with short random periods, so that it acts often within a few seconds.
/// @param mode "active" or "shadow"
[[nodiscard]] std::string hasty_gate(const std::string& gate, std::uint64_t seed,
                                     const std::string& mode);

}  // namespace specroute::sim
