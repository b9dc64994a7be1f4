/// @file
/// The pairings of a profile, as a gate sees them that compares within the fleet.
#pragma once

#include "router/bind_table.hpp"
#include "router/gate.hpp"
#include "router/instance.hpp"

namespace specroute::router {

/// What the pairings of the row's profile look like at `now`, as seen from the row: what the
/// gate reads of them.
FleetView fleet_of(srp_policy& policy, const BindRow& row, std::uint64_t now);

}  // namespace specroute::router
