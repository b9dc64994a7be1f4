/// @file
/// An instance of a loaded module, which is not trusted: every call is watched, every answer
/// judged.
#pragma once

#include <memory>
#include <string>

#include "sim/plugins/plugin.hpp"
#include "sim/routing/policy_port.hpp"

namespace specroute::sim {

/// Loads the module and makes an instance. Every fault of it, now or later, is a PolicyFault;
/// crashes and hangs end the process (call_watch.hpp, whose handlers the caller installed).
[[nodiscard]] std::unique_ptr<PolicyPort> load_policy(const Plugin& plugin);

}  // namespace specroute::sim
