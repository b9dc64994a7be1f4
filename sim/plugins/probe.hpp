/// @file
/// Looks at the policies from outside before anything is simulated, each in a process of its own.
#pragma once

#include <string>
#include <vector>

#include <specroute/vocab/result.hpp>

#include "sim/engine/zygote.hpp"
#include "sim/plugins/plugin.hpp"

namespace specroute::sim {

/// A policy that did wrong before the first event.
struct ProbeFailure {
  std::string label;
  std::string diagnosis;
};

struct Probed {
  std::vector<Plugin> plugins;         ///< those that can be run, with their names and versions
  std::vector<ProbeFailure> failures;  ///< the others
};

/// Loads or starts each policy, has it judge its configuration, makes and destroys an instance.
/// What the user can mend is a diagnostic: a program that cannot be started, a configuration that
/// is refused. The rest is a failure of that policy alone: it cannot be loaded, has the wrong ABI,
/// crashes, hangs, says garbage. @param timeout for one call or answer, above 0
[[nodiscard]] Result<Probed> probe_plugins(const std::vector<Plugin>& plugins, Seconds timeout);

/// What a process that ran a policy said of its end: the fault alone where its stderr has one, else
/// how it ended, then its last lines.
[[nodiscard]] std::string fault_text(const JobResult& result);

}  // namespace specroute::sim
