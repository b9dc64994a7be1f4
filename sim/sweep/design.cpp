#include "sim/sweep/design.hpp"

#include <algorithm>
#include <numeric>

#include "models/random/philox.hpp"
#include "models/random/stream.hpp"

namespace specroute::sim {
namespace {

/// 0 to count - 1 in an order that `key` draws (Fisher and Yates).
std::vector<std::size_t> permutation(models::StreamKey key, std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = count; left > 1; --left) {
    const double draw = models::uniform_of(key, left) * static_cast<double>(left);
    std::swap(order[left - 1], order[std::min(left - 1, static_cast<std::size_t>(draw))]);
  }
  return order;
}

}  // namespace

std::vector<SweepPoint> grid(const std::vector<SweepField>& fields) {
  std::vector<SweepPoint> points = {{}};
  for (const SweepField& field : fields) {
    std::vector<SweepPoint> longer;
    for (const SweepPoint& point : points)
      for (std::size_t k = 0; k < field.grid_size(); ++k) {
        longer.push_back(point);
        longer.back().push_back(grid_value(field, k));
      }
    points = std::move(longer);
  }
  return points;
}

std::vector<SweepPoint> latin_hypercube(const std::vector<SweepField>& fields, std::size_t points,
                                        std::uint64_t seed) {
  std::vector<SweepPoint> design(points);
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const auto order = permutation(models::Seed{seed}.key("latin hypercube order", f), points);
    const auto within = models::Seed{seed}.key("latin hypercube place", f);
    for (std::size_t p = 0; p < points; ++p) {
      const double place = static_cast<double>(order[p]) + models::uniform_of(within, p);
      design[p].push_back(value_at(fields[f], place / static_cast<double>(points)));
    }
  }
  return design;
}

}  // namespace specroute::sim
