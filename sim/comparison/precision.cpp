#include "sim/comparison/precision.hpp"

#include <algorithm>
#include <cmath>

namespace specroute::sim {

bool tight_enough(const models::Interval& interval, double share) {
  if (interval.count < kFewestSeeds || !interval.half_width) return false;
  return *interval.half_width <= share * std::abs(*interval.mean);
}

std::optional<std::size_t> seeds_wanted(const models::Interval& interval, double share) {
  if (tight_enough(interval, share)) return std::nullopt;
  if (interval.count < kFewestSeeds || !interval.half_width) return kFewestSeeds;
  const double most = 2.0 * static_cast<double>(interval.count);
  const double ratio = *interval.half_width / (share * std::abs(*interval.mean));
  const double wanted = std::min(most, static_cast<double>(interval.count) * ratio * ratio);
  return std::max(interval.count + 1, static_cast<std::size_t>(std::ceil(wanted)));
}

}  // namespace specroute::sim
