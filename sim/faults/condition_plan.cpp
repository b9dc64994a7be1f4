#include "sim/faults/condition_plan.hpp"

#include <algorithm>

namespace specroute::sim {

std::vector<OverridePlan::Change> ConditionPlan::changes() const {
  std::vector<OverridePlan::Change> dates = overrides.changes();
  for (const auto& change : engines.changes()) dates.push_back(change);
  std::ranges::sort(dates);
  const auto repeats = std::ranges::unique(dates);
  dates.erase(repeats.begin(), repeats.end());
  return dates;
}

void ConditionPlan::restarted(BackendId backend, Seconds at) {
  overrides.restarted(backend, at);
  engines.restarted(backend, at);
}

std::string ConditionPlan::describe(BackendId backend, Seconds now) const {
  std::string text;
  if (const Override* const found = overrides.in_force(backend, now))
    text = found->owner + (now >= found->owner_gone ? ", stale" : "");
  const std::string causes = engines.causes(backend, now);
  if (!causes.empty()) text += (text.empty() ? "" : ", ") + causes;
  return text;
}

}  // namespace specroute::sim
