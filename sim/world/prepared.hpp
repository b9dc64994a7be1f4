/// @file
/// All that the replications of one scenario share, made once before they fork.
#pragma once

#include <string>
#include <vector>

#include <specroute/policy_abi.h>
#include <specroute/vocab/result.hpp>

#include "models/devices/step_time.hpp"
#include "models/workload/prefix_blocks.hpp"
#include "sim/faults/fault_plan.hpp"
#include "sim/faults/override_plan.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/serving/pair_tables.hpp"
#include "sim/world/class_arrivals.hpp"

namespace specroute::sim {

struct PreparedBackend {
  models::StepModel step;
  std::uint64_t kv_blocks = 0;  ///< per engine
};

struct Prepared {
  const Scenario* scenario;  ///< outlives this
  const srp_module* module;
  PairTableBook tables;
  OverridePlan overrides;
  std::vector<PreparedBackend> backends;
  std::vector<PreparedTraffic> traffic;  ///< by class
  std::vector<TrafficKind> kinds;
  models::PrefixTable prefixes = {};  ///< what the requests' prefix handles lead to
  std::vector<std::vector<models::PrefixHandle>> group_prefixes = {};  ///< by class and group
};

/// Calibrates, builds step models and capacities, warms the tables up. Says what cannot be: figures
/// that no pair can have, a model that does not fit its device.
[[nodiscard]] Result<Prepared> prepare(const Scenario& scenario, const srp_module& module);

/// What `prepare` would make of `well`, which is `prepared`'s scenario without its faults and
/// overrides: nothing is calibrated again. @param well outlives the result
[[nodiscard]] Prepared healthy_twin(const Prepared& prepared, const Scenario& well);

/// The scenario without its faults and overrides: what the same traffic comes to on a healthy
/// fleet. Excess degradation is counted against it.
[[nodiscard]] Scenario without_faults(const Scenario& scenario);

}  // namespace specroute::sim
