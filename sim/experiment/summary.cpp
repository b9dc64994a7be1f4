#include "sim/experiment/summary.hpp"

#include <algorithm>
#include <map>

#include "sim/experiment/published_metrics.hpp"

namespace specroute::sim {
namespace {

models::Interval interval_of(const std::vector<std::optional<double>>& per_seed) {
  std::vector<double> applying;
  for (const auto& value : per_seed)
    if (value) applying.push_back(*value);
  return models::student_interval(applying);
}

GateSummary summarise_gate(const GateRuns& gate) {
  GateSummary summary{.label = gate.label, .metrics = {}};
  std::map<std::string, std::size_t> place_of;
  for (std::size_t seed = 0; seed < gate.per_seed.size(); ++seed)
    for (const auto& [name, value] : gate.per_seed[seed]) {
      const auto [entry, is_new] = place_of.try_emplace(name, summary.metrics.size());
      if (is_new) {
        const auto unsaid = counts_by_blame(name) ? std::optional(0.0) : std::nullopt;
        summary.metrics.push_back({name, {}, {}});
        summary.metrics.back().per_seed.assign(gate.per_seed.size(), unsaid);
      }
      summary.metrics[entry->second].per_seed[seed] = value;
    }
  for (MetricSummary& metric : summary.metrics) metric.interval = interval_of(metric.per_seed);
  return summary;
}

bool within(const Expectation& bounds, std::optional<double> value) {
  if (!value) return false;
  return (!bounds.min || *value >= *bounds.min) && (!bounds.max || *value <= *bounds.max);
}

/// What the gate has to show for an expectation: its mean, or its value for each seed.
std::vector<std::optional<double>> found_for(const Expectation& expectation,
                                             const GateSummary& gate) {
  const std::string name = published_name(expectation.metric);
  const MetricSummary* metric = gate.find(name);
  if (metric == nullptr)
    return {counts_by_blame(name) ? std::optional(0.0) : std::optional<double>{}};
  if (expectation.every_seed || expectation.is_null) return metric->per_seed;
  return {metric->interval.mean};
}

}  // namespace

const MetricSummary* GateSummary::find(std::string_view name) const {
  const auto metric =
      std::ranges::find_if(metrics, [&](const MetricSummary& one) { return one.name == name; });
  return metric == metrics.end() ? nullptr : &*metric;
}

std::vector<GateSummary> summarise(const Campaign& campaign) {
  std::vector<GateSummary> summaries;
  for (const GateRuns& gate : campaign.gates) summaries.push_back(summarise_gate(gate));
  return summaries;
}

std::vector<ExpectationOutcome> judge_expectations(const std::vector<Expectation>& expectations,
                                                   const std::vector<GateSummary>& gates) {
  std::vector<ExpectationOutcome> outcomes;
  for (const Expectation& expectation : expectations) {
    const auto gate = std::ranges::find_if(
        gates, [&](const GateSummary& one) { return one.label == expectation.gate; });
    if (gate == gates.end()) {
      outcomes.push_back({expectation, Verdict::not_run, {}});
      continue;
    }
    auto found = found_for(expectation, *gate);
    const bool holds = std::ranges::all_of(found, [&](std::optional<double> value) {
      return expectation.is_null ? !value.has_value() : within(expectation, value);
    });
    outcomes.push_back({expectation, holds ? Verdict::pass : Verdict::fail, std::move(found)});
  }
  return outcomes;
}

}  // namespace specroute::sim
