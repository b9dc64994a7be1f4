#include "sim/report/faults_csv.hpp"

#include "sim/faults/fault_plan.hpp"
#include "sim/report/comma_separated.hpp"
#include "sim/world/time_series.hpp"

namespace specroute::sim {
namespace {

std::string end_name(const Scenario& scenario, BackendId end) {
  return end.exists() ? csv_field(scenario.backends[end.index()].name) : "router";
}

std::string row(const Scenario& scenario, const HostEvent& event) {
  const bool path = event.kind == HostEvent::Kind::cut || event.kind == HostEvent::Kind::mended;
  const bool measured = event.amount > 0.0;
  return number_text(event.date.count()) + ',' + to_string(event.kind) + ',' +
         (path ? ',' + end_name(scenario, event.from) + ',' + end_name(scenario, event.to)
               : end_name(scenario, event.backend) + ",,") +
         ',' + (measured ? number_text(event.amount) : std::string{}) + '\n';
}

}  // namespace

std::string faults_csv(const Scenario& scenario, const std::vector<std::uint64_t>& seeds) {
  if (!has_faults(scenario)) return {};
  std::string text = "seed,at_s,event,backend,from,to,amount\n";
  for (const std::uint64_t seed : seeds)
    for (const HostEvent& event : plan_run(scenario, models::Seed{seed}))
      text += std::to_string(seed) + ',' + row(scenario, event);
  return text;
}

}  // namespace specroute::sim
