#include "sim/faults/fault_plan.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace specroute::sim {

std::vector<HostEvent> plan_faults(const std::vector<Fault>& faults) {
  std::vector<Fault> by_date = faults;
  std::ranges::stable_sort(by_date, {}, &Fault::at);
  std::vector<HostEvent> plan;
  constexpr Seconds kForEver{std::numeric_limits<double>::infinity()};
  std::map<BackendId, Seconds> down_until;
  for (const Fault& fault : by_date) {
    const auto known = down_until.find(fault.backend);
    if (known != down_until.end() && fault.at <= known->second) continue;
    plan.push_back({fault.at, fault.backend, HostEvent::Kind::down});
    const Seconds back = fault.restart_after ? fault.at + *fault.restart_after : kForEver;
    down_until[fault.backend] = back;
    if (fault.restart_after) plan.push_back({back, fault.backend, HostEvent::Kind::up});
  }
  std::ranges::sort(plan);
  return plan;
}

}  // namespace specroute::sim
