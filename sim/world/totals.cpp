#include "sim/world/totals.hpp"

#include <algorithm>

#include "sim/serving/mismatch.hpp"
#include "sim/world/counted.hpp"

namespace specroute::sim {
void Totals::ended(const Ending& ending) {
  in_system_.leave(ending.left, ending.sequence.arrival);
  ++ended_;
  tokens_ += ending.sequence.emitted;
  classes_[ending.request_class.index()].ended(ending,
                                               scenario_.classes[ending.request_class.index()]);
}

/// L = lambda W over the run: up to the horizon, or to the last end if that is later.
void Totals::report_littles_law(Metrics& metrics) const {
  const Seconds span = std::max(scenario_.horizon, in_system_.last_event());
  const double arrived = as_double(arrived_count());
  const bool lasted = span > Seconds{0.0};
  metrics.emplace_back("requests.in_system_mean",
                       lasted ? std::optional(in_system_.area() / span) : std::nullopt);
  metrics.emplace_back("requests.arrivals_per_s",
                       lasted ? std::optional(arrived / span.count()) : std::nullopt);
  metrics.emplace_back(
      "requests.sojourn_mean_ms",
      arrived > 0.0 ? std::optional(in_system_.sojourns().count() * 1e3 / arrived) : std::nullopt);
}

void Totals::report(Metrics& metrics) const {
  ClassRecord all;
  for (const ClassRecord& record : classes_) all.merge(record);
  metrics.emplace_back("requests.arrived", as_double(arrived_count()));
  for (std::size_t s = 0; s < kEndStates; ++s)
    metrics.emplace_back(std::string("requests.") + to_string(static_cast<EndState>(s)),
                         as_double(all.ends[s]));
  metrics.emplace_back("requests.retries", as_double(all.retries));
  report_littles_law(metrics);
  metrics.emplace_back("tokens.output", as_double(all.tokens));
  metrics.emplace_back("tokens.output_per_s", as_double(all.tokens) / scenario_.horizon.count());
  metrics.emplace_back("degraded.total", as_double(all.degraded));
  metrics.emplace_back("degraded.loop", as_double(all.looping));
  metrics.emplace_back("degraded.schema", as_double(all.schema));
  // Where no pair can ever disagree, corruption has no way in: "does not apply", not "never".
  const bool applies = all.corrupted > 0 || !mismatched_block_tokens(scenario_).empty();
  metrics.emplace_back("degraded.corruption",
                       applies ? std::optional(as_double(all.corrupted)) : std::nullopt);
  report_objectives(metrics, "", all, scenario_.horizon);
  report_quantiles(metrics, "latency.ttft.", all.ttft);
  report_quantiles(metrics, "latency.tpot.", all.tpot);
  report_quantiles(metrics, "latency.itl.", all.inter_token);
  report_quantiles(metrics, "latency.end_to_end.", all.end_to_end);
}

void Totals::report_classes(Metrics& metrics) const {
  for (std::size_t c = 0; c < classes_.size(); ++c)
    report_class(metrics, scenario_.classes[c].name, classes_[c], scenario_.horizon);
}

}  // namespace specroute::sim
