/// @file
/// Opens a policy from outside in the process of a replication.
#pragma once

#include <memory>

#include "sim/plugins/call_watch.hpp"
#include "sim/plugins/plugin.hpp"
#include "sim/plugins/timed_policy.hpp"
#include "sim/routing/policy_port.hpp"

namespace specroute::sim {

struct OpenOptions {
  Seconds timeout = kPolicyTimeout;  ///< of one call or answer
  bool verify = false;               ///< hold it against a second instance
  FaultFlag* flag = nullptr;         ///< set where it misbehaves
};

/// An instance whose every fault ends this process with kPolicyFaultExit. Takes over signal
/// handlers (call_watch.hpp): for a process that runs one replication.
/// @param time of the first instance alone
[[nodiscard]] std::unique_ptr<PolicyPort> open_policy(const Plugin& plugin,
                                                      const OpenOptions& options, PolicyTime& time);

}  // namespace specroute::sim
