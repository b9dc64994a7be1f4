/// @file
/// The other pairings of a profile, as a gate sees them that compares within the fleet.
#pragma once

#include "router/bind_table.hpp"
#include "router/gate.hpp"
#include "router/instance.hpp"

namespace specroute::router {

/// What the pairings of the row's profile look like beside it.
FleetView fleet_of(const srp_policy& policy, const BindRow& row);

}  // namespace specroute::router
