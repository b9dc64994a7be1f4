#include "sim/sweep/pareto.hpp"

#include <algorithm>

namespace specroute::sim {
namespace {

bool is_judged(const Costs& costs) {
  return std::ranges::all_of(costs, [](const auto& cost) { return cost.has_value(); });
}

bool beats(const Costs& one, const Costs& other) {
  bool better = false;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (*one[i] > *other[i]) return false;
    better |= *one[i] < *other[i];
  }
  return better;
}

}  // namespace

std::vector<std::size_t> pareto_front(const std::vector<Costs>& points) {
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto beaten = [&](const Costs& other) {
      return is_judged(other) && beats(other, points[i]);
    };
    if (is_judged(points[i]) && std::ranges::none_of(points, beaten)) front.push_back(i);
  }
  return front;
}

}  // namespace specroute::sim
