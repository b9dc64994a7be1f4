#include "models/speculation/acceptance_decay.hpp"

#include <algorithm>
#include <cstddef>

#include <specroute/vocab/check.hpp>

#include "models/speculation/acceptance.hpp"

namespace specroute::models {
namespace {

void check_decay(const ContextDecay& decay) {
  check(decay.points.size() >= 2, "a curve has two points or more");
  double before = -1.0;
  for (const auto& point : decay.points) {
    check(point.context_tokens > before && point.value > 0.0,
          "points come in order of context, with values above 0");
    before = point.context_tokens;
  }
}

}  // namespace

double decay_factor(const ContextDecay& decay, double context_tokens) {
  check_decay(decay);
  const auto& points = decay.points;
  const double first = points.front().value;
  if (context_tokens <= points.front().context_tokens) return 1.0;
  if (context_tokens >= points.back().context_tokens) return points.back().value / first;
  const auto right =
      std::ranges::upper_bound(points, context_tokens, {}, &ContextDecay::Point::context_tokens);
  const auto left = right - 1;
  const double share =
      (context_tokens - left->context_tokens) / (right->context_tokens - left->context_tokens);
  return (left->value + share * (right->value - left->value)) / first;
}

std::vector<double> decayed_shape(const ContextDecay& decay, std::span<const double> conditional,
                                  double context_tokens) {
  std::vector<double> shape(conditional.begin(), conditional.end());
  const double factor = decay_factor(decay, context_tokens);
  if (factor == 1.0 || shape.empty()) return shape;
  if (decay.of == ContextDecay::Of::alpha) {
    for (double& a : shape) a = std::min(1.0, factor * a);
    return shape;
  }
  const auto gamma = static_cast<double>(shape.size());
  const double length = std::clamp(factor * mean_acceptance_length(shape), 1.0, 1.0 + gamma);
  return shape_with_rate(shape, (length - 1.0) / gamma);
}

}  // namespace specroute::models
