/// @file
/// Events that begin and end pairings.
#pragma once

#include <specroute/policy_abi.h>
#include <cstdint>

#include "router/judgement.hpp"

namespace specroute::router {

std::int32_t on_bind(Session& session, const srp_ev_bind& event);
std::int32_t on_unbind(Session& session, const srp_ev_unbind& event);
std::int32_t on_failover(Session& session, const srp_ev_failover& event);

}  // namespace specroute::router
