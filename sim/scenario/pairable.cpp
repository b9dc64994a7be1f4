#include "sim/scenario/pairable.hpp"

#include <algorithm>

namespace specroute::sim {

bool draws_on(const Scenario& scenario, PoolId targets, PoolId drafts) {
  if (targets == drafts) return true;
  const auto& named = scenario.pools[targets.index()].draft_pools;
  return std::ranges::find(named, drafts) != named.end();
}

bool pairable(const Scenario& scenario, BackendId target, BackendId draft) {
  const Backend& verifies = scenario.backends[target.index()];
  const Backend& drafts = scenario.backends[draft.index()];
  if (verifies.role != Role::target || drafts.role != Role::draft) return false;
  const BackendId owner = drafts.hosting.on_devices_of;
  return draws_on(scenario, verifies.pool, drafts.pool) && (!owner.exists() || owner == target);
}

bool same_node(const Scenario& scenario, BackendId a, BackendId b) {
  const Hosting& first = scenario.backends[a.index()].hosting;
  const Hosting& second = scenario.backends[b.index()].hosting;
  if (first.on_devices_of == b || second.on_devices_of == a) return true;
  return !first.node.empty() && first.node == second.node;
}

BackendId home_of(const std::vector<Backend>& backends, BackendId backend) {
  const BackendId owner = backends[backend.index()].hosting.on_devices_of;
  return owner.exists() ? owner : backend;
}

std::uint32_t devices_of(const Backend& backend) {
  return backend.hosting.on_devices_of.exists() ? 0 : backend.tensor_parallel * backend.engines;
}

}  // namespace specroute::sim
