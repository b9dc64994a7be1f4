#include "sim/routing/recent_count.hpp"

namespace specroute::sim {
namespace {

std::int64_t second_of(Seconds date) {
  return static_cast<std::int64_t>(date.count());
}

}  // namespace

void RecentCount::add(Seconds now) {
  const std::int64_t second = second_of(now);
  Slot& slot = slots_[static_cast<std::size_t>(second) % slots_.size()];
  if (slot.second != second) slot = Slot{.second = second, .count = 0};
  ++slot.count;
}

void RecentCount::clear() {
  for (Slot& slot : slots_) slot = Slot{};
}

std::uint64_t RecentCount::at(Seconds now) const {
  const std::int64_t oldest = second_of(now) - static_cast<std::int64_t>(slots_.size()) + 1;
  std::uint64_t sum = 0;
  for (const Slot& slot : slots_)
    if (slot.second >= oldest) sum += slot.count;
  return sum;
}

}  // namespace specroute::sim
