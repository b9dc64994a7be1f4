/// @file
/// Faults are planned before the run and then played: a sorted list of what happens to hosts.
#pragma once

#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

struct HostEvent {
  enum class Kind { down, up };
  Seconds date;
  BackendId backend;
  Kind kind;
  auto operator<=>(const HostEvent&) const = default;
};

/// The scenario's faults as host events by date (ties: lowest backend, down before up).
/// A second crash of a host that is down already changes nothing and is left out.
[[nodiscard]] std::vector<HostEvent> plan_faults(const std::vector<Fault>& faults);

}  // namespace specroute::sim
