#include "sim/experiment/comparison.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {
namespace {

/// Absent where no seed has the metric under both gates.
std::optional<MetricDifference> difference(const MetricSummary& metric,
                                           const MetricSummary& reference) {
  std::vector<double> differences;
  for (std::size_t seed = 0; seed < metric.per_seed.size(); ++seed)
    if (metric.per_seed[seed] && reference.per_seed[seed])
      differences.push_back(*metric.per_seed[seed] - *reference.per_seed[seed]);
  if (differences.empty()) return std::nullopt;
  return MetricDifference{metric.name, paired_interval(differences)};
}

}  // namespace

std::vector<GateComparison> compare_gates(const std::vector<GateSummary>& gates,
                                          const std::string& reference) {
  const auto base = std::ranges::find(gates, reference, &GateSummary::label);
  check(base != gates.end(), "gates are compared with one of them");
  std::vector<GateComparison> comparisons;
  for (const GateSummary& gate : gates) {
    if (gate.label == reference) continue;
    comparisons.push_back({.label = gate.label, .reference = reference, .metrics = {}});
    for (const MetricSummary& metric : gate.metrics) {
      const MetricSummary* const other = base->find(metric.name);
      if (other == nullptr) continue;
      if (auto found = difference(metric, *other))
        comparisons.back().metrics.push_back(*std::move(found));
    }
  }
  return comparisons;
}

}  // namespace specroute::sim
