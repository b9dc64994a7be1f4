#include "sim/routing/retry.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {

RetryPolicy::RetryPolicy(const std::vector<RetryLayer>& layers) {
  check(layers.size() <= kMostRetryLayers, "the schema bounds the layers of retries");
  for (const RetryLayer& layer : layers)
    layers_.push_back({.settings = layer,
                       .asked = RecentCount(layer.budget_window_s),
                       .retries = RecentCount(layer.budget_window_s)});
}

void RetryPolicy::begin(RetryState& state, Seconds now) {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    state.retries[i] = 0;
    layers_[i].asked.add(now);
    const auto timeout = layers_[i].settings.try_timeout;
    state.deadline[i] = timeout ? now + *timeout : RetryState::kNone;
  }
}

bool RetryPolicy::allows(const Layer& layer, Seconds now) {
  if (!layer.settings.budget_share) return true;
  const auto retries = static_cast<double>(layer.retries.at(now));
  const auto asked = static_cast<double>(layer.asked.at(now));
  const bool within =
      retries < *layer.settings.budget_share * asked +
                    layer.settings.budget_min_per_s * layer.settings.budget_window_s;
  denied_ += !within;
  return within;
}

Seconds RetryPolicy::wait(const RetryLayer& layer, std::uint32_t retry, double u) {
  Seconds wait = layer.backoff;
  for (std::uint32_t i = 0; i < retry && wait < layer.backoff_max; ++i)
    wait *= layer.backoff_multiplier;
  return std::min(wait, layer.backoff_max) * (1.0 + layer.jitter * (2.0 * u - 1.0));
}

std::optional<RetryPolicy::Next> RetryPolicy::after_failure(RetryState& state, std::uint32_t layer,
                                                            Seconds now, double u) {
  for (std::uint32_t i = layer + 1; i-- > 0;) {
    Layer& retrying = layers_[i];
    if (state.retries[i] >= retrying.settings.max_retries || !allows(retrying, now)) continue;
    const Seconds pause = wait(retrying.settings, state.retries[i], u);
    ++state.retries[i];
    retrying.retries.add(now);
    for (std::size_t j = i; j < layers_.size(); ++j) {
      if (j > i) {
        state.retries[j] = 0;
        layers_[j].asked.add(now);
      }
      const auto timeout = layers_[j].settings.try_timeout;
      state.deadline[j] = timeout ? now + pause + *timeout : RetryState::kNone;
    }
    return Next{.wait = pause, .layer = i};
  }
  return std::nullopt;
}

std::optional<std::uint32_t> RetryPolicy::timed_out(const RetryState& state, Seconds now) const {
  for (std::uint32_t i = 0; i < layers_.size(); ++i)
    if (state.deadline[i] <= now) return i;
  return std::nullopt;
}

}  // namespace specroute::sim
