// Failures at a rate.
#include <string>

#include "models/random/distributions.hpp"
#include "sim/faults/fault_plan.hpp"
#include "sim/scenario/pairable.hpp"

namespace specroute::sim {
namespace {

constexpr double kSecondsPerHour = 3600.0;

/// The failures of one backend: exponential times up, of that mean, between its times down.
void draw_failures(const RandomFaults& entry, Fault fault, const Scenario& scenario,
                   models::Stream stream, std::vector<Fault>& drawn) {
  const std::uint32_t devices = devices_of(scenario.backends[fault.backend.index()]);
  if (devices == 0) return;  // they fail as their owner's, and take it along
  const Seconds mean{entry.gpu_hours_per_failure * kSecondsPerHour / devices};
  fault.at = models::exponential(mean, stream.uniform());
  while (fault.at < scenario.horizon) {
    if (entry.restart_after) fault.until = fault.at + *entry.restart_after;
    drawn.push_back(fault);
    if (!entry.restart_after) return;
    fault.at += *entry.restart_after + models::exponential(mean, stream.uniform());
  }
}

}  // namespace

std::vector<Fault> draw_faults(const Scenario& scenario, const models::Seed& seed) {
  std::vector<Fault> drawn;
  for (std::size_t e = 0; e < scenario.random_faults.size(); ++e) {
    const RandomFaults& entry = scenario.random_faults[e];
    const std::string purpose = "random faults " + std::to_string(e);
    Fault fault{.kind = entry.effect, .backend = {}, .at = Seconds{0.0}, .until = {}};
    fault.silent = entry.silent;
    fault.drawn = true;
    for (const BackendId id : entry.backends) {
      fault.backend = id;
      draw_failures(entry, fault, scenario, seed.stream(purpose, id.value), drawn);
    }
  }
  return drawn;
}

}  // namespace specroute::sim
