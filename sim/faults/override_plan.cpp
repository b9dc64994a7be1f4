#include "sim/faults/override_plan.hpp"

#include <algorithm>

namespace specroute::sim {
namespace {

/// What an engine applies where a replaced block names nothing: its own defaults.
const Sampling kEngineDefaults{
    .temperature = 1.0, .top_p = 1.0, .top_k = 0, .min_p = 0.0, .seed = 0, .grammar = {}};

Sampling apply(const Override& change, const Sampling& requested) {
  Sampling result = change.replaces_block ? kEngineDefaults : requested;
  if (change.temperature) result.temperature = *change.temperature;
  if (change.top_p) result.top_p = *change.top_p;
  if (change.top_k) result.top_k = *change.top_k;
  if (change.min_p) result.min_p = *change.min_p;
  if (change.seed) result.seed = *change.seed;
  if (change.grammar) result.grammar = *change.grammar;
  return result;
}

}  // namespace

OverridePlan::OverridePlan(const std::vector<Override>& overrides) : overrides_(overrides) {
  std::ranges::stable_sort(overrides_, {}, &Override::from);
}

bool OverridePlan::active(const Override& candidate, BackendId backend, Seconds now) const {
  if (candidate.backend != backend || now < candidate.from) return false;
  if (candidate.until && now >= *candidate.until) return false;
  return std::ranges::none_of(restarts_, [&](const Restart& restart) {
    return restart.backend == backend && restart.at > candidate.from && restart.at <= now;
  });
}

Sampling OverridePlan::applied(BackendId backend, const Sampling& requested, Seconds now) const {
  Sampling result = requested;
  for (const Override& candidate : overrides_)
    if (active(candidate, backend, now)) result = apply(candidate, result);
  return result;
}

const Override* OverridePlan::in_force(BackendId backend, Seconds now) const {
  const Override* last = nullptr;
  for (const Override& candidate : overrides_)
    if (active(candidate, backend, now)) last = &candidate;
  return last;
}

std::vector<OverridePlan::Change> OverridePlan::changes() const {
  std::vector<Change> dates;
  for (const Override& candidate : overrides_) {
    dates.push_back({candidate.from, candidate.backend});
    if (candidate.until) dates.push_back({*candidate.until, candidate.backend});
  }
  std::ranges::sort(dates);
  const auto repeats = std::ranges::unique(dates);
  dates.erase(repeats.begin(), repeats.end());
  return dates;
}

void OverridePlan::restarted(BackendId backend, Seconds at) {
  restarts_.push_back({backend, at});
}

}  // namespace specroute::sim
