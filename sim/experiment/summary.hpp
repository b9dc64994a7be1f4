/// @file
/// What a campaign comes to, gate by gate and metric by metric, and whether it is as declared.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/statistics/interval.hpp"
#include "sim/experiment/campaign.hpp"
#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// One metric over the seeds. Where it does not apply to a seed its value is absent, and the
/// interval is over the seeds to which it does.
struct MetricSummary {
  std::string name;
  std::vector<std::optional<double>> per_seed;
  models::Interval interval;
};

struct GateSummary {
  std::string label;
  std::vector<MetricSummary> metrics;  ///< in the order of the first run that reported each

  /// The metric of that name, or null.
  [[nodiscard]] const MetricSummary* find(std::string_view name) const;
};

/// Every gate of a complete campaign, in its order.
[[nodiscard]] std::vector<GateSummary> summarise(const Campaign& campaign);

enum class Verdict {
  pass,
  fail,
  not_run,  ///< its gate was not among those that ran
};

/// A declared expectation and what was found.
struct ExpectationOutcome {
  Expectation expectation;
  Verdict verdict;
  std::vector<std::optional<double>> found;  ///< the mean, or one value per seed
};

/// Judges expectations. Bounds hold for the mean over the seeds to which the metric applies, or for
/// every seed; a metric that does not apply meets no bound. `is_null` asks that it applies to none.
[[nodiscard]] std::vector<ExpectationOutcome> judge_expectations(
    const std::vector<Expectation>& expectations, const std::vector<GateSummary>& gates);

}  // namespace specroute::sim
