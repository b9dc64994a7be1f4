// Requests in flight in proportion to rewarded acceptance.
#include <algorithm>

#include "sim/routing/dispatch_rule.hpp"

namespace specroute::sim {
namespace {

/// One plus the rewarded acceptance, in parts per million: nobody's weight is 0.
std::uint64_t weight(const DispatchTarget& target) {
  return 1'000'000U + static_cast<std::uint64_t>(std::max<std::int64_t>(0, target.reward_ppm));
}

/// Least (outstanding + 1) / weight, compared by cross-multiplication so that it is exact.
class WeightedByReward final : public DispatchRule {
 public:
  std::optional<DispatchChoice> choose(const DispatchRequest& /*request*/,
                                       const DispatchPool& pool) override {
    std::optional<DispatchChoice> best;
    for (const BackendId candidate : pool.targets) {
      const DispatchTarget& c = pool[candidate];
      if (!c.has_room()) continue;
      if (best) {
        const DispatchTarget& b = pool[best->target];
        if ((c.outstanding + 1) * weight(b) >= (b.outstanding + 1) * weight(c)) continue;
      }
      best = DispatchChoice{candidate};
    }
    return best;
  }
};

}  // namespace

std::unique_ptr<DispatchRule> make_weighted_by_reward() {
  return std::make_unique<WeightedByReward>();
}

}  // namespace specroute::sim
