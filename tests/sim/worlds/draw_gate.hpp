/// @file
/// Gates for random worlds: each that the router has, with the knobs that it reads.
#pragma once

#include <cstdint>
#include <string>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// A gate's configuration with short random periods, so that it acts often within a few seconds.
/// @param mode "active" or "shadow"
[[nodiscard]] std::string hasty_gate(const std::string& gate, std::uint64_t seed,
                                     const std::string& mode);

/// The world's gate: consecutive seeds go through all gates; one in four keeps its defaults.
[[nodiscard]] Gate draw_gate(std::uint64_t seed);

}  // namespace specroute::sim
