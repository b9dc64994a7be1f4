/// @file
/// Small worlds drawn at random: fleet, traffic, faults, overrides, router and gate.
#pragma once

#include <cstdint>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// A world of a few hundred requests. Equal seeds give equal worlds; every part of the scenario is
/// within the ranges that the schema allows.
[[nodiscard]] Scenario random_scenario(std::uint64_t seed);

/// The smallest world that serves: one target, one draft, one class, nothing wrong. Tests change
/// what they are about.
[[nodiscard]] Scenario plain_scenario();
inline constexpr BackendId kTarget{0};  ///< of the plain scenario
inline constexpr BackendId kDraft{1};

}  // namespace specroute::sim
