#include "sim/routing/dispatcher.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {

Dispatcher::Dispatcher(const Scenario& scenario, models::Seed seed)
    : misrouting_(scenario.router.dispatching.misrouting),
      sticky_(scenario.router.dispatch == Dispatch::session_sticky),
      misrouting_key_(seed.key("misrouting")),
      queue_limit_(scenario.router.queue_limit),
      targets_(scenario.backends.size()),
      pool_of_(scenario.backends.size()),
      pools_(scenario.pools.size()),
      opened_(scenario.backends.size()),
      bars_(scenario.backends.size()) {
  for (std::uint32_t b = 0; b < scenario.backends.size(); ++b) {
    const Backend& backend = scenario.backends[b];
    pool_of_[b] = backend.pool;
    if (backend.role != Role::target) continue;
    const bool only_by_mistake = std::ranges::any_of(
        misrouting_, [&](const Misrouting& each) { return each.target == BackendId{b}; });
    if (!only_by_mistake) pools_[backend.pool.index()].targets.push_back(BackendId{b});
    targets_[b].by_engine.resize(backend.engines);
    if (scenario.router.max_outstanding_per_engine)
      targets_[b].most =
          std::uint64_t{*scenario.router.max_outstanding_per_engine} * backend.engines;
  }
  for (std::uint32_t p = 0; p < pools_.size(); ++p)
    pools_[p].rule = make_dispatch_rule(scenario, PoolId{p}, seed);
}

void Dispatcher::open(BackendId target, std::int64_t reward_ppm) {
  opened_[target.index()] = 1;
  settle(target);
  targets_[target.index()].reward_ppm = reward_ppm;
}

void Dispatcher::close(BackendId target) {
  opened_[target.index()] = 0;
  settle(target);
}

void Dispatcher::settle(BackendId target) {
  targets_[target.index()].open = opened_[target.index()] != 0 && bars_[target.index()] == 0;
}

void Dispatcher::bar(BackendId target, Bar reason, bool on) {
  const auto bit = static_cast<std::uint8_t>(reason);
  std::uint8_t& bars = bars_[target.index()];
  bars = static_cast<std::uint8_t>(on ? bars | bit : bars & ~bit);
  settle(target);
}

bool Dispatcher::is_broken(PoolId pool) const {
  bool some = false;
  for (const BackendId target : pools_[pool.index()].targets) {
    if (opened_[target.index()] == 0) continue;
    if (bars_[target.index()] != static_cast<std::uint8_t>(Bar::breaker)) return false;
    some = true;
  }
  return some;
}

bool Dispatcher::has_other_open(BackendId target) const {
  return std::ranges::any_of(
      pools_[pool_of_[target.index()].index()].targets,
      [&](BackendId other) { return other != target && targets_[other.index()].open; });
}

void Dispatcher::reward(BackendId target, std::int64_t reward_ppm) {
  targets_[target.index()].reward_ppm = reward_ppm;
}

std::optional<DispatchChoice> Dispatcher::choose(const DispatchRequest& request) {
  const PoolState& state = pools_[request.pool.index()];
  DispatchRequest sent = request;
  sent.misrouted_to = misrouted(request);
  const bool lasts = sticky_ && request.session != 0;  // the rule itself decides once
  const auto chosen = sent.misrouted_to && !lasts
                          ? std::optional(DispatchChoice{*sent.misrouted_to})
                          : state.rule->choose(sent, {state.targets, targets_});
  if (chosen) {
    DispatchTarget& its = targets_[chosen->target.index()];
    ++its.outstanding;
    if (chosen->engine) ++its.by_engine[*chosen->engine];
  }
  return chosen;
}

std::optional<BackendId> Dispatcher::choose(PoolId pool) {
  const auto chosen = choose(DispatchRequest{.pool = pool});
  return chosen ? std::optional(chosen->target) : std::nullopt;
}

/// Where this choice would go wrong: one draw for each request, for each session where they stick.
std::optional<BackendId> Dispatcher::misrouted(const DispatchRequest& request) const {
  const Misrouting* phase = nullptr;
  for (const Misrouting& each : misrouting_)
    if (each.from <= request.now) phase = &each;
  if (phase == nullptr || pool_of_[phase->target.index()] != request.pool ||
      !targets_[phase->target.index()].has_room())
    return std::nullopt;
  const std::uint64_t whose =
      sticky_ && request.session != 0 ? request.session : request.request.value;
  const bool hit = models::uniform_of(misrouting_key_, whose) < phase->share;
  return hit ? std::optional(phase->target) : std::nullopt;
}

void Dispatcher::on_cache_event(const CacheEvent& event, Seconds at) {
  pools_[pool_of_[event.target.index()].index()].rule->on_cache_event(event, at);
}

bool Dispatcher::has_room(PoolId pool) const {
  return std::ranges::any_of(pools_[pool.index()].targets, [this](BackendId target) {
    return targets_[target.index()].has_room();
  });
}

void Dispatcher::ended(DispatchChoice where) {
  DispatchTarget& state = targets_[where.target.index()];
  check(state.outstanding > 0, "only an outstanding request can end");
  --state.outstanding;
  if (!where.engine) return;
  check(state.by_engine[*where.engine] > 0, "only an outstanding request can end");
  --state.by_engine[*where.engine];
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
