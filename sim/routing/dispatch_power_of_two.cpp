// Two targets drawn at random, the one with fewer requests in flight takes it.
// Mitzenmacher, "The power of two choices in randomized load balancing", 2001.
#include <algorithm>
#include <utility>

#include "sim/routing/dispatch_rule.hpp"

namespace specroute::sim {
namespace {

class PowerOfTwo final : public DispatchRule {
 public:
  explicit PowerOfTwo(models::Stream draws) : draws_(draws) {}

  std::optional<DispatchChoice> choose(const DispatchRequest& /*request*/,
                                       const DispatchPool& pool) override {
    const std::vector<BackendId> open = with_room(pool);
    if (open.empty()) return std::nullopt;
    if (open.size() == 1) return DispatchChoice{open.front()};
    std::size_t first = below(open.size());
    std::size_t second = below(open.size() - 1);
    second += second >= first;  // another than the first, all others alike
    if (second < first) std::swap(first, second);
    const bool later = pool[open[second]].outstanding < pool[open[first]].outstanding;
    return DispatchChoice{open[later ? second : first]};
  }

 private:
  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(draws_.uniform() * static_cast<double>(count));
  }
  models::Stream draws_;
};

}  // namespace

std::unique_ptr<DispatchRule> make_power_of_two(models::Stream draws) {
  return std::make_unique<PowerOfTwo>(draws);
}

}  // namespace specroute::sim
