#include "models/speculation/sampling.hpp"

#include <algorithm>
#include <cstddef>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"

namespace specroute::models {
namespace {

void check_parameters(const SamplingParameters& parameters) {
  check(parameters.temperature >= 0.0, "a temperature is not negative");
  check(parameters.top_p > 0.0 && parameters.top_p <= 1.0, "top-p lies in (0, 1]");
  check(parameters.top_k >= 0, "top-k is not negative");
  check(parameters.min_p >= 0.0 && parameters.min_p <= 1.0, "min-p lies in [0, 1]");
}

// Four partial sums hide the latency of addition; their order is fixed, so the bits are too.
double sum(std::span<const double> values) {
  double parts[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= values.size(); i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) parts[lane] += values[i + lane];
  for (; i < values.size(); ++i) parts[0] += values[i];
  return (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

double dot(std::span<const double> a, std::span<const double> b) {
  double parts[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) parts[lane] += a[i + lane] * b[i + lane];
  for (; i < a.size(); ++i) parts[0] += a[i] * b[i];
  return (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

void keep_min_p(std::span<double> weights, double min_p) {
  for (double& weight : weights)  // the largest weight is exp(0) = 1
    if (weight < min_p) weight = 0.0;
}

// Both filters below keep a head of the weights sorted by size, lowest index first among equals.
struct ComesFirst {
  std::span<const double> weights;
  bool operator()(std::uint32_t a, std::uint32_t b) const {
    return weights[a] != weights[b] ? weights[a] > weights[b] : a < b;
  }
};

void keep_top_k(std::span<double> weights, std::size_t count, std::vector<std::uint32_t>& order) {
  if (count >= order.size()) return;
  const auto cut = order.begin() + static_cast<std::ptrdiff_t>(count);
  std::nth_element(order.begin(), cut, order.end(), ComesFirst{weights});
  for (auto dropped = cut; dropped != order.end(); ++dropped) weights[*dropped] = 0.0;
  order.resize(count);
}

// A heap finds a short head in linear time, and heads are short wherever the filter is of use.
void keep_top_p(std::span<double> weights, double share, std::vector<std::uint32_t>& order) {
  const double wanted = share * sum(weights);
  const auto comes_last = [first = ComesFirst{weights}](std::uint32_t a, std::uint32_t b) {
    return first(b, a);
  };
  std::make_heap(order.begin(), order.end(), comes_last);
  auto heap_end = order.end();
  for (double covered = 0.0; covered < wanted && heap_end != order.begin();) {
    std::pop_heap(order.begin(), heap_end, comes_last);
    covered += weights[*--heap_end];
  }
  for (auto dropped = order.begin(); dropped != heap_end; ++dropped) weights[*dropped] = 0.0;
}

void apply_filters(std::span<double> weights, const SamplingParameters& parameters,
                   std::vector<std::uint32_t>& order) {
  if (parameters.min_p > 0.0) keep_min_p(weights, parameters.min_p);
  if (parameters.top_k == 0 && parameters.top_p >= 1.0) return;
  order.clear();
  for (std::uint32_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0.0) order.push_back(i);
  if (parameters.top_k > 0) keep_top_k(weights, static_cast<std::size_t>(parameters.top_k), order);
  if (parameters.top_p < 1.0) keep_top_p(weights, parameters.top_p, order);
}

// Logits to log weights, the largest at 0. True where the draw is certain: values are one-hot then.
bool shift_logits(std::span<double> values, const SamplingParameters& parameters) {
  check(!values.empty(), "a distribution has at least one token");
  check_parameters(parameters);
  const auto largest = std::max_element(values.begin(), values.end());
  if (is_greedy(parameters)) {
    const auto chosen = largest - values.begin();
    std::fill(values.begin(), values.end(), 0.0);
    values[static_cast<std::size_t>(chosen)] = 1.0;
    return true;
  }
  const double top = *largest;
  for (double& value : values) value = (value - top) / parameters.temperature;
  return false;
}

// Log weights to weights that passed the filters; returns their sum.
double to_weights(std::span<double> values, const SamplingParameters& parameters,
                  SamplingScratch& scratch) {
  portable::exp_in_place(values);
  apply_filters(values, parameters, scratch.order);
  return sum(values);
}

}  // namespace

bool same_distribution(const SamplingParameters& a, const SamplingParameters& b) {
  return a.temperature == b.temperature && a.top_p == b.top_p && a.top_k == b.top_k &&
         a.min_p == b.min_p;
}

bool is_greedy(const SamplingParameters& parameters) {
  return parameters.temperature == 0.0 || parameters.top_k == 1;
}

double sample_distribution(std::span<double> values, const SamplingParameters& parameters,
                           SamplingScratch& scratch) {
  if (shift_logits(values, parameters)) return 0.0;
  scratch.shifted.assign(values.begin(), values.end());
  const double total = to_weights(values, parameters, scratch);
  const double entropy = portable::log(total) - dot(values, scratch.shifted) / total;
  for (double& value : values) value /= total;
  return std::max(entropy, 0.0);
}

void to_distribution(std::span<double> values, const SamplingParameters& parameters,
                     SamplingScratch& scratch) {
  if (shift_logits(values, parameters)) return;
  const double total = to_weights(values, parameters, scratch);
  for (double& value : values) value /= total;
}

double entropy_nats(std::span<const double> probabilities) {
  constexpr std::size_t kChunk = 64;
  double logarithms[kChunk];
  double entropy = 0.0;
  while (!probabilities.empty()) {
    const auto chunk = probabilities.first(std::min(kChunk, probabilities.size()));
    std::copy(chunk.begin(), chunk.end(), logarithms);
    portable::log_in_place({logarithms, chunk.size()});
    for (std::size_t i = 0; i < chunk.size(); ++i)
      if (chunk[i] >= 1e-18) entropy -= chunk[i] * logarithms[i];
    probabilities = probabilities.subspan(chunk.size());
  }
  return std::max(entropy, 0.0);
}

}  // namespace specroute::models
