/// @file
/// A policy in another process, asked in JSON lines (docs/plugins.md).
#pragma once

#include <memory>
#include <string>

#include <specroute/vocab/result.hpp>

#include "sim/plugins/plugin.hpp"
#include "sim/routing/policy_port.hpp"

namespace specroute::sim {

/// What a program said of itself when it was greeted.
struct ExecGreeting {
  std::string name;
  std::string version;
};

class ExecProcess;

/// Greets the program. Diagnostics where it refuses to serve; a PolicyFault where its answer is
/// not one.
/// @param timeout of an answer; a program that starts is given half a minute at least
[[nodiscard]] Result<ExecGreeting> greet(ExecProcess& process, const Plugin& plugin,
                                         Seconds timeout);

/// Starts the program and greets it. Every fault of it, now or later, is a PolicyFault.
/// @param timeout for each answer, wall time, above 0
[[nodiscard]] std::unique_ptr<PolicyPort> exec_policy(const Plugin& plugin, Seconds timeout);

}  // namespace specroute::sim
