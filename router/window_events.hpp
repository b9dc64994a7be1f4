/// @file
/// Events that tell how bound pairings do.
#pragma once

#include <specroute/policy_abi.h>
#include <cstdint>

#include "router/judgement.hpp"

namespace specroute::router {

std::int32_t on_window(Session& session, const srp_ev_window& event);
std::int32_t on_sampling(Session& session, const srp_ev_sampling& event);
std::int32_t on_outcome(Session& session, const srp_ev_outcome& event);
/// Serves every row whose wake_at has come. SRP_E_SPACE where decisions were left over: send the
/// tick again.
std::int32_t on_tick(Session& session);

}  // namespace specroute::router
