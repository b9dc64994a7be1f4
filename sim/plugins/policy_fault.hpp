/// @file
/// What a policy from outside did wrong.
#pragma once

#include <stdexcept>

namespace specroute::sim {

/// Thrown by ports and caught by ContainedPolicy, or by the probe: it never reaches the engine.
class PolicyFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Exit codes of a process that ran a policy: it misbehaved (the last line of its stderr that
/// begins with kPolicyFaultMark says how), or another process found out before.
inline constexpr int kPolicyFaultExit = 86;
inline constexpr int kPolicySkippedExit = 87;
inline constexpr const char* kPolicyFaultMark = "policy fault: ";

}  // namespace specroute::sim
