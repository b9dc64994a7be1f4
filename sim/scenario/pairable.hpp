/// @file
/// Which drafts a target may draw on, as far as pools and devices say.
#pragma once

#include <vector>

#include <specroute/vocab/id.hpp>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// Whether `target` is a target, `draft` a draft of its pool or of a draft pool that its pool
/// names, and a co-located draft on the devices of this very target.
[[nodiscard]] bool pairable(const Scenario& scenario, BackendId target, BackendId draft);

/// Whether targets of pool `targets` may draw on drafts of pool `drafts`.
[[nodiscard]] bool draws_on(const Scenario& scenario, PoolId targets, PoolId drafts);

/// Whether they stand on one node and talk without a network.
[[nodiscard]] bool same_node(const Scenario& scenario, BackendId a, BackendId b);

/// On whose devices a backend stands: its owner's where it is co-located, else its own.
[[nodiscard]] BackendId home_of(const std::vector<Backend>& backends, BackendId backend);

/// Devices that a backend brings with it: none where it is co-located.
[[nodiscard]] std::uint32_t devices_of(const Backend& backend);

}  // namespace specroute::sim
