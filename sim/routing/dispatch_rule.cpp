#include "sim/routing/dispatch_rule.hpp"

#include <algorithm>
#include <iterator>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {

std::unique_ptr<DispatchRule> make_dispatch_rule(const Scenario& scenario, PoolId pool,
                                                 models::Seed seed) {
  switch (scenario.router.dispatch) {
    case Dispatch::round_robin:
      return make_round_robin();
    case Dispatch::least_outstanding:
      return make_least_outstanding();
    case Dispatch::weighted_by_reward:
      return make_weighted_by_reward();
    case Dispatch::power_of_two:
      return make_power_of_two(seed.stream("power of two", pool.value));
    case Dispatch::prefix_aware:
      return make_prefix_aware(scenario);
    case Dispatch::session_sticky:
      return make_session_sticky(scenario.router.dispatching.session,
                                 seed.stream("session assignment", pool.value));
  }
  check(false, "every dispatch has its rule");
  return nullptr;
}

std::vector<BackendId> with_room(const DispatchPool& pool) {
  std::vector<BackendId> result;
  std::ranges::copy_if(pool.targets, std::back_inserter(result),
                       [&](BackendId target) { return pool[target].has_room(); });
  return result;
}

}  // namespace specroute::sim
