/// @file
/// The outermost layer around a policy from outside: a fault of it ends this process, after what
/// the policy holds was given back, and never passes through the engine.
#pragma once

#include <functional>
#include <memory>

#include "sim/plugins/call_watch.hpp"
#include "sim/routing/policy_port.hpp"

namespace specroute::sim {

/// Opens a policy and contains it. A PolicyFault, then or later, becomes a line on stderr that
/// begins with kPolicyFaultMark, `flag` set, and the end of this process with kPolicyFaultExit.
[[nodiscard]] std::unique_ptr<PolicyPort> contained(
    const std::function<std::unique_ptr<PolicyPort>()>& open, FaultFlag* flag);

}  // namespace specroute::sim
