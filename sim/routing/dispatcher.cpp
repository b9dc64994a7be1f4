#include "sim/routing/dispatcher.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {

Dispatcher::Dispatcher(const Scenario& scenario)
    : rule_(scenario.router.dispatch),
      queue_limit_(scenario.router.queue_limit),
      targets_(scenario.backends.size()),
      pools_(scenario.pools.size()) {
  for (std::uint32_t b = 0; b < scenario.backends.size(); ++b) {
    const Backend& backend = scenario.backends[b];
    if (backend.role != Role::target) continue;
    pools_[backend.pool.index()].targets.push_back(BackendId{b});
    if (scenario.router.max_outstanding_per_engine)
      targets_[b].most =
          std::uint64_t{*scenario.router.max_outstanding_per_engine} * backend.engines;
  }
}

void Dispatcher::open(BackendId target, std::int64_t reward_ppm) {
  targets_[target.index()].open = true;
  targets_[target.index()].reward_ppm = reward_ppm;
}

void Dispatcher::close(BackendId target) {
  targets_[target.index()].open = false;
}

void Dispatcher::reward(BackendId target, std::int64_t reward_ppm) {
  targets_[target.index()].reward_ppm = reward_ppm;
}

std::optional<BackendId> Dispatcher::choose(PoolId pool) {
  PoolState& state = pools_[pool.index()];
  const auto chosen = rule_ == Dispatch::round_robin
                          ? next_in_turn(state)
                          : least_loaded(state, rule_ == Dispatch::weighted_by_reward);
  if (chosen) ++targets_[chosen->index()].outstanding;
  return chosen;
}

std::optional<BackendId> Dispatcher::next_in_turn(PoolState& pool) const {
  for (std::size_t tried = 0; tried < pool.targets.size(); ++tried) {
    const BackendId target = pool.targets[pool.next];
    pool.next = (pool.next + 1) % pool.targets.size();
    if (targets_[target.index()].has_room()) return target;
  }
  return std::nullopt;
}

/// Least (outstanding + 1) / weight, compared by cross-multiplication so that it is exact. The
/// weight is one plus the rewarded acceptance, in parts per million: nobody's weight is 0.
std::optional<BackendId> Dispatcher::least_loaded(const PoolState& pool, bool weighted) const {
  const auto weight = [&](const Target& t) -> std::uint64_t {
    return weighted
               ? 1'000'000U + static_cast<std::uint64_t>(std::max<std::int64_t>(0, t.reward_ppm))
               : 1U;
  };
  std::optional<BackendId> best;
  for (const BackendId candidate : pool.targets) {
    const Target& c = targets_[candidate.index()];
    if (!c.has_room()) continue;
    if (best) {
      const Target& b = targets_[best->index()];
      if ((c.outstanding + 1) * weight(b) >= (b.outstanding + 1) * weight(c)) continue;
    }
    best = candidate;
  }
  return best;
}

bool Dispatcher::has_room(PoolId pool) const {
  return std::ranges::any_of(pools_[pool.index()].targets, [this](BackendId target) {
    return targets_[target.index()].has_room();
  });
}

void Dispatcher::ended(BackendId target) {
  Target& state = targets_[target.index()];
  check(state.outstanding > 0, "only an outstanding request can end");
  --state.outstanding;
}

bool Dispatcher::enqueue(PoolId pool, std::uint32_t slot, bool in_front) {
  std::deque<std::uint32_t>& queue = pools_[pool.index()].queue;
  if (in_front) {
    queue.push_front(slot);  // a retried request was admitted before: it is never shed here
    return true;
  }
  if (queue.size() >= queue_limit_) return false;
  queue.push_back(slot);
  return true;
}

}  // namespace specroute::sim
