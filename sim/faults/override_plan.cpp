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
  const Lifetime life{candidate.from, candidate.until, candidate.at_restart,
                      candidate.survives_restart};
  return candidate.backend == backend && restarts_.active(life, backend, now);
}

Sampling OverridePlan::applied(BackendId backend, const Sampling& requested, Seconds now) const {
  Sampling result = requested;
  for (const Override& candidate : overrides_)
    if (!candidate.last_request && active(candidate, backend, now))
      result = apply(candidate, result);
  return result;
}

const Override* OverridePlan::in_force(BackendId backend, Seconds now) const {
  const Override* last = nullptr;
  for (const Override& candidate : overrides_)
    if (active(candidate, backend, now)) last = &candidate;
  return last;
}

bool OverridePlan::shares_last_request(BackendId backend, Seconds now) const {
  return std::ranges::any_of(overrides_, [&](const Override& candidate) {
    return candidate.last_request && active(candidate, backend, now);
  });
}

void OverridePlan::copy(BackendId from, BackendId to, Seconds now) {
  std::vector<Override> copies;
  for (const Override& original : overrides_) {
    if (!active(original, from, now)) continue;
    Override made = original;
    made.backend = to;
    if (!made.owner.ends_with(kCopied)) made.owner += kCopied;  // a copy of a copy is a copy
    made.from = now;
    made.until = std::nullopt;
    made.at_restart = false;
    const bool known = std::ranges::any_of(overrides_, [&](const Override& other) {
      return other.owner == made.owner && active(other, to, now);
    });
    if (!known) copies.push_back(made);
  }
  overrides_.insert(overrides_.end(), copies.begin(), copies.end());
  std::ranges::stable_sort(overrides_, {}, &Override::from);
}

std::vector<ConditionChange> OverridePlan::changes() const {
  return changes_of(overrides_);
}

}  // namespace specroute::sim
