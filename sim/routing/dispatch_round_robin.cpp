// Each target in turn, those without room passed over.
#include "sim/routing/dispatch_rule.hpp"

namespace specroute::sim {
namespace {

class RoundRobin final : public DispatchRule {
 public:
  std::optional<DispatchChoice> choose(const DispatchRequest& /*request*/,
                                       const DispatchPool& pool) override {
    for (std::size_t tried = 0; tried < pool.targets.size(); ++tried) {
      const BackendId target = pool.targets[next_];
      next_ = (next_ + 1) % pool.targets.size();
      if (pool[target].has_room()) return DispatchChoice{target};
    }
    return std::nullopt;
  }

 private:
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<DispatchRule> make_round_robin() {
  return std::make_unique<RoundRobin>();
}

}  // namespace specroute::sim
