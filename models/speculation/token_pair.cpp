#include "models/speculation/token_pair.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"

namespace specroute::models {
namespace {

constexpr double kNegligible = 37.0;  // e^-37 is half the spacing of doubles at 1

// Tokens of a descending list that are at least `floor`.
std::size_t count_at_least(std::span<const double> descending, double floor) {
  const auto end = std::partition_point(descending.begin(), descending.end(),
                                        [floor](double g) { return g >= floor; });
  return static_cast<std::size_t>(end - descending.begin());
}

}  // namespace

PairModel::PairModel(PairParameters parameters, std::shared_ptr<const PositionTable> table)
    : parameters_(parameters), table_(std::move(table)) {
  check(parameters.sharpness > 0.0, "sharpness is above 0");
  check(parameters.noise >= 0.0, "noise is not negative");
  check(parameters.fidelity > 0.0, "fidelity is above 0");
  check(parameters.sharpness_spread >= 0.0, "a spread is not negative");
}

double PairModel::scale(std::size_t position) const {
  const double spread = parameters_.sharpness_spread;
  if (spread == 0.0) return 1.0;
  return portable::exp(spread * (table_->quantile(position) - 0.5 * spread));
}

std::size_t PairModel::relevant_tokens(std::size_t position, double temperature) const {
  const auto g = table_->target(position);
  const auto noise = table_->draft_noise(position);
  const double allowed = kNegligible * temperature / scale(position);
  const double target_floor = g[0] - allowed / parameters_.sharpness;
  // The draft's best is no worse than token 0; token j is no better than its g with the best noise.
  const double slope = parameters_.fidelity * parameters_.sharpness;
  const double lead = parameters_.noise * (table_->largest_noise(position) - noise[0]);
  const double draft_floor = g[0] - (lead + allowed) / slope;
  return count_at_least(g, std::min(target_floor, draft_floor));
}

void PairModel::target_logits(std::size_t position, std::span<double> logits) const {
  const auto g = table_->target(position);
  const double factor = scale(position) * parameters_.sharpness;
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = factor * g[i];
}

void PairModel::draft_logits(std::size_t position, std::span<double> logits) const {
  const auto g = table_->target(position);
  const auto noise = table_->draft_noise(position);
  const double signal = scale(position) * parameters_.fidelity * parameters_.sharpness;
  const double error = scale(position) * parameters_.noise;
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = signal * g[i] + error * noise[i];
}

}  // namespace specroute::models
