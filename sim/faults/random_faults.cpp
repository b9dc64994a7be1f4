// Failures at a rate.
#include <string>

#include "models/random/distributions.hpp"
#include "sim/faults/fault_plan.hpp"
#include "sim/scenario/pairable.hpp"

namespace specroute::sim {
namespace {

constexpr double kSecondsPerHour = 3600.0;

}  // namespace

std::vector<Fault> draw_faults(const Scenario& scenario, const models::Seed& seed) {
  std::vector<Fault> drawn;
  for (std::size_t e = 0; e < scenario.random_faults.size(); ++e) {
    const RandomFaults& entry = scenario.random_faults[e];
    const std::string purpose = "random faults " + std::to_string(e);
    for (const BackendId id : entry.backends) {
      const Backend& backend = scenario.backends[id.index()];
      const std::uint32_t devices = devices_of(backend);
      if (devices == 0) continue;  // they fail as their owner's, and take it along
      const Seconds mean{entry.gpu_hours_per_failure * kSecondsPerHour / devices};
      models::Stream stream = seed.stream(purpose, id.value);
      Seconds at = models::exponential(mean, stream.uniform());
      while (at < scenario.horizon) {
        Fault fault{.kind = entry.effect, .backend = id, .at = at, .until = {}};
        if (entry.restart_after) fault.until = at + *entry.restart_after;
        fault.silent = entry.silent;
        fault.drawn = true;
        drawn.push_back(fault);
        if (!entry.restart_after) break;
        at += *entry.restart_after + models::exponential(mean, stream.uniform());
      }
    }
  }
  return drawn;
}

}  // namespace specroute::sim
