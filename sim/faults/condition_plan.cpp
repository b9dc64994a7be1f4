#include "sim/faults/condition_plan.hpp"

#include <utility>

namespace specroute::sim {

std::vector<ConditionChange> ConditionPlan::changes() const {
  std::vector<ConditionChange> both = overrides.changes();
  for (const ConditionChange& change : engines.changes()) both.push_back(change);
  return in_order(std::move(both));
}

void ConditionPlan::restarted(BackendId backend, Seconds at) {
  overrides.restarted(backend, at);
  engines.restarted(backend, at);
}

std::string ConditionPlan::owners(BackendId backend, Seconds now) const {
  const Override* const found = overrides.in_force(backend, now);
  const std::string owner = found != nullptr ? found->owner : std::string{};
  const std::string causes = engines.causes(backend, now);
  return owner + (owner.empty() || causes.empty() ? "" : " and ") + causes;
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
