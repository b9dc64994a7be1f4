/// @file
/// The names under which a summary shows what a run measured, and the metrics that need two runs.
///
/// A run reports by dotted path, as its parts know it (totals, incident, ledger). A summary, an
/// expectation and a table use one published name each; where the two differ, the table is here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/world/run_result.hpp"

namespace specroute::sim {

/// The published name of a metric that a run reports; a name without an entry is its own.
[[nodiscard]] std::string published_name(std::string_view path);

/// One replication's metrics under their published names, then its excess degradation:
/// what it degraded minus what the paired healthy run (same gate, same seed) did.
/// @param healthy the paired run's metrics; may be the run's own where nothing ails the scenario
[[nodiscard]] Metrics published_metrics(const Metrics& run, const Metrics& healthy);

/// The value under `name`; absent where the metric is unknown or does not apply.
[[nodiscard]] std::optional<double> metric_value(const Metrics& metrics, std::string_view name);

/// Every published name that does not depend on a scenario, in the order of a summary.
[[nodiscard]] std::vector<std::string> fixed_metric_names();

/// All names that a summary of this scenario may hold: the fixed ones, and one per backend,
/// class, pairing of backends, owner of overrides and kind of decision.
[[nodiscard]] std::vector<std::string> metric_names(const Scenario& scenario);

/// The dotted paths that a published name replaces; an expectation may use them too.
[[nodiscard]] std::vector<std::string> replaced_metric_paths();

/// Whether a name is about a backend, a class, or whoever is to blame: "utilisation.NAME", kin.
[[nodiscard]] bool depends_on_scenario(std::string_view name);

/// Whether a metric counts degraded completions by pairing, override or decision: a run in which
/// that never happened leaves it out, and means 0.
[[nodiscard]] bool counts_by_blame(std::string_view name);

}  // namespace specroute::sim
