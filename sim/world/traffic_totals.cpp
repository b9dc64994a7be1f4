#include "sim/world/traffic_totals.hpp"

#include <algorithm>

#include "sim/scenario/tenants.hpp"
#include "sim/world/counted.hpp"

namespace specroute::sim {
namespace {

constexpr std::string_view kTenant = "tenant.";
constexpr std::string_view kTrace = "trace.";

bool plays_traces(const Scenario& scenario) {
  return std::ranges::any_of(scenario.classes, [](const RequestClass& c) {
    return c.arrivals.trace.has_value() && c.arrivals.trace->rows != nullptr;
  });
}

void report_rows(Metrics& metrics, const Scenario& scenario, std::uint64_t played) {
  if (!plays_traces(scenario)) return;
  TraceCounts all;
  for (const RequestClass& c : scenario.classes) {
    if (!c.arrivals.trace) continue;
    const TraceCounts& counts = c.arrivals.trace->rows->counts;
    all.rows += counts.rows;
    all.kept += counts.kept;
    all.zero_tokens += counts.zero_tokens;
    all.of_others += counts.of_others;
    all.out_of_slice += counts.out_of_slice;
  }
  metrics.emplace_back("trace.rows", as_double(all.rows));
  metrics.emplace_back("trace.kept", as_double(all.kept));
  metrics.emplace_back("trace.zero_token_rows", as_double(all.zero_tokens));
  metrics.emplace_back("trace.other_rows", as_double(all.of_others));
  metrics.emplace_back("trace.out_of_slice_rows", as_double(all.out_of_slice));
  metrics.emplace_back("trace.played", as_double(played));
}

}  // namespace

TenantTotals::TenantTotals(const Scenario& scenario)
    : names_(tenant_names(scenario)), counts_(names_.size()) {}

void TenantTotals::ended(std::uint32_t tenant, const End& end) {
  if (tenant == kNoTenant) return;
  Count& count = counts_[tenant];
  ++count.requests;
  count.completed += end.completed;
  count.good += end.good;
  count.degraded += end.degraded;
  count.output_tokens += end.output_tokens;
}

void TenantTotals::report(Metrics& metrics) const {
  for (std::size_t t = 0; t < names_.size(); ++t) {
    const std::string path = std::string(kTenant) + names_[t] + '.';
    const Count& count = counts_[t];
    metrics.emplace_back(path + "requests", as_double(count.requests));
    metrics.emplace_back(path + "completed", as_double(count.completed));
    metrics.emplace_back(path + "degraded", as_double(count.degraded));
    metrics.emplace_back(path + "output_tokens", as_double(count.output_tokens));
    metrics.emplace_back(path + "slo_attainment",
                         count.requests > 0
                             ? std::optional(as_double(count.good) / as_double(count.requests))
                             : std::nullopt);
  }
}

void report_traces(Metrics& metrics, const Scenario& scenario,
                   const std::vector<ClassArrivals>& arrivals) {
  std::uint64_t played = 0;
  for (const ClassArrivals& each : arrivals) played += each.played();
  report_rows(metrics, scenario, played);
}

std::vector<std::string> traffic_metric_names(const Scenario& scenario) {
  Metrics metrics;
  TenantTotals(scenario).report(metrics);
  report_rows(metrics, scenario, 0);
  std::vector<std::string> names;
  for (const auto& [name, value] : metrics) names.push_back(name);
  return names;
}

bool names_traffic(std::string_view metric) {
  return metric.starts_with(kTenant) || metric.starts_with(kTrace);
}

}  // namespace specroute::sim
