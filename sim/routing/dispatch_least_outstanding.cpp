// The target with the fewest requests in flight.
#include "sim/routing/dispatch_rule.hpp"

namespace specroute::sim {
namespace {

class LeastOutstanding final : public DispatchRule {
 public:
  std::optional<DispatchChoice> choose(const DispatchRequest& /*request*/,
                                       const DispatchPool& pool) override {
    const auto best = least_outstanding(pool);
    return best ? std::optional(DispatchChoice{*best}) : std::nullopt;
  }
};

}  // namespace

std::optional<BackendId> least_outstanding(const DispatchPool& pool) {
  std::optional<BackendId> best;
  for (const BackendId target : pool.targets)
    if (pool[target].has_room() && (!best || pool[target].outstanding < pool[*best].outstanding))
      best = target;
  return best;
}

std::unique_ptr<DispatchRule> make_least_outstanding() {
  return std::make_unique<LeastOutstanding>();
}

}  // namespace specroute::sim
