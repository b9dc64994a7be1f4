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

OverridePlan::OverridePlan(const std::vector<Override>& overrides) {
  for (const Override& each : overrides) held_.push_back({each, held_.size()});
  std::ranges::stable_sort(held_, {}, &Held::from);
}

Sampling OverridePlan::applied(BackendId backend, const Sampling& requested, Seconds now) const {
  Sampling result = requested;
  for (const Held& candidate : held_)
    if (!candidate.last_request && restarts_.in_force(candidate, backend, now))
      result = apply(candidate, result);
  return result;
}

const Override* OverridePlan::in_force(BackendId backend, Seconds now) const {
  const Override* last = nullptr;
  for (const Held& candidate : held_)
    if (restarts_.in_force(candidate, backend, now)) last = &candidate;
  return last;
}

bool OverridePlan::shares_last_request(BackendId backend, Seconds now) const {
  return std::ranges::any_of(held_, [&](const Held& candidate) {
    return candidate.last_request && restarts_.in_force(candidate, backend, now);
  });
}

void OverridePlan::copy(BackendId from, BackendId to, Seconds now) {
  std::vector<Held> copies;
  for (const Held& original : held_) {
    if (!restarts_.in_force(original, from, now)) continue;
    const bool known = std::ranges::any_of(held_, [&](const Held& other) {
      return other.source == original.source && restarts_.in_force(other, to, now);
    });
    if (known) continue;
    Held& made = copies.emplace_back(original);
    made.backend = to;
    if (!made.owner.ends_with(kCopied)) made.owner += kCopied;  // a copy of a copy is a copy
    made.from = now;
    made.until = std::nullopt;
    made.at_restart = false;
  }
  held_.insert(held_.end(), copies.begin(), copies.end());
  std::ranges::stable_sort(held_, {}, &Held::from);
}

std::vector<ConditionChange> OverridePlan::changes() const {
  return changes_of(held_);
}

}  // namespace specroute::sim
