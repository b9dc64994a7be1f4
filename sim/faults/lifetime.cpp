#include "sim/faults/lifetime.hpp"

#include <algorithm>
#include <limits>

namespace specroute::sim {

std::vector<ConditionChange> in_order(std::vector<ConditionChange> changes) {
  std::ranges::sort(changes);
  const auto repeats = std::ranges::unique(changes);
  changes.erase(repeats.begin(), repeats.end());
  return changes;
}

bool Restarts::active(const Lifetime& life, BackendId backend, Seconds now) const {
  if (now < life.from || (life.until && now >= *life.until)) return false;
  Seconds begun = life.from;
  if (life.at_restart) {
    begun = Seconds{std::numeric_limits<double>::infinity()};
    for (const Restart& restart : list_)
      if (restart.backend == backend && restart.at >= life.from)
        begun = std::min(begun, restart.at);
  }
  if (now < begun || life.survives_restart) return now >= begun;
  return std::ranges::none_of(list_, [&](const Restart& restart) {
    return restart.backend == backend && restart.at > begun && restart.at <= now;
  });
}

}  // namespace specroute::sim
