/// @file
/// Two instances of one policy on the same events: what they decide must be equal, or a run is no
/// function of its scenario and seed.
#pragma once

#include <memory>

#include "sim/routing/policy_port.hpp"

namespace specroute::sim {

/// `policy`, held against `twin` at every event: bytes of the decisions, names of their reasons and
/// sentences. A difference is a PolicyFault that says the first one.
[[nodiscard]] std::unique_ptr<PolicyPort> mirrored(std::unique_ptr<PolicyPort> policy,
                                                   std::unique_ptr<PolicyPort> twin);

}  // namespace specroute::sim
