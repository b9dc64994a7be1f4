/// @file
/// Faults are planned before the run and then played: a sorted list of what happens to backends
/// and to the paths between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "models/random/stream.hpp"
#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

struct HostEvent {
  /// In the order of their effects at one date: what ends comes before what begins, so that one
  /// fault's end does not undo the next one's beginning.
  enum class Kind : std::uint8_t {
    up,
    hang_over,
    slow_over,
    errors_over,
    mended,
    drain_over,
    wrong_tokens_over,
    down,
    hang,
    slow,
    errors,
    cut,
    drain,
    wrong_tokens,
  };
  Seconds date;
  BackendId backend;  ///< of cut and mended: none
  Kind kind;
  BackendId from = {};  ///< of cut and mended; none: the router
  BackendId to = {};
  double amount = 0.0;  ///< slow: the factor; errors: the share; wrong_tokens: the hazard per token
  bool silent = true;   ///< of down
  ErrorAnswer answer = ErrorAnswer::server;  ///< of errors
  auto operator<=>(const HostEvent&) const = default;
};
[[nodiscard]] const char* to_string(HostEvent::Kind kind);

/// The faults as events by date (ties: lowest backend, then in the order of Kind). What cannot
/// happen is left out: a crash or hang of a host that is down, what has begun already. It was
/// drawn, or something drawn is in its way: the rules for files refuse the rest. A crash ends a
/// hang; the others outlast it, being the device's, the router's or the network's. What begins as
/// its like ends, and is like it in all, prolongs it. A crash takes co-located backends along,
/// which return once neither their own crash nor the owner's keeps them down.
/// @param backends by id, for who is co-located; without them nobody is.
[[nodiscard]] std::vector<HostEvent> plan_faults(const std::vector<Fault>& faults,
                                                 const std::vector<Backend>& backends = {});

/// The failures of a scenario that come at a rate: for each entry and backend a Poisson process of
/// devices / gpu_hours_per_failure, suspended while the backend is down. One stream for each entry
/// and backend, so another fleet or gate does not change what befalls the rest.
[[nodiscard]] std::vector<Fault> draw_faults(const Scenario& scenario, const models::Seed& seed);

/// The whole plan of a run: `plan_faults` of the scenario's own faults and of those drawn.
[[nodiscard]] std::vector<HostEvent> plan_run(const Scenario& scenario, const models::Seed& seed);

/// Whether the scenario can have any fault.
[[nodiscard]] inline bool has_faults(const Scenario& scenario) {
  return !scenario.faults.empty() || !scenario.random_faults.empty();
}

}  // namespace specroute::sim
