/// @file
/// Events that tell how requests and completions came out.
#pragma once

#include <specroute/policy_abi.h>
#include <cstdint>

#include "router/judgement.hpp"

namespace specroute::router {

/// Of a backend, so of every pairing whose target it is. Two of them speak at most; where more have
/// something to say, they do with the next such event.
std::int32_t on_health(Session& session, const srp_ev_health& event);
std::int32_t on_quality(Session& session, const srp_ev_quality& event);

}  // namespace specroute::router
