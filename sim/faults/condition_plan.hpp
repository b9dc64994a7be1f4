/// @file
/// All that a run makes of its backends, faults of hosts aside: what they sample with and what they
/// are, at any date.
#pragma once

#include <utility>

#include "sim/faults/engine_plan.hpp"
#include "sim/faults/override_plan.hpp"

namespace specroute::sim {

struct ConditionPlan {
  /// Overrides alone will do.
  ConditionPlan(OverridePlan set_parameters, EnginePlan changed_engines = {})
      : overrides(std::move(set_parameters)), engines(std::move(changed_engines)) {}
  explicit ConditionPlan(const Scenario& scenario)
      : overrides(scenario.overrides), engines(scenario.engine_changes) {}

  /// Dates at which tables may become others, sorted, without repeats.
  [[nodiscard]] std::vector<ConditionChange> changes() const;
  /// A restarted process has lost what it was told, and loads what was stored for it.
  void restarted(BackendId backend, Seconds at);
  /// Who or what made a backend other than configured; else empty.
  [[nodiscard]] std::string owners(BackendId backend, Seconds now) const;
  /// What is not as configured on a backend, by whom, and whether its owner is gone; else empty.
  [[nodiscard]] std::string describe(BackendId backend, Seconds now) const;

  OverridePlan overrides;
  EnginePlan engines;
};

}  // namespace specroute::sim
