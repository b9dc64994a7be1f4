#include "models/speculation/token_pair.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
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

std::shared_ptr<const PositionTable> suitable_table(const PairParameters& parameters) {
  return has_evidence(parameters) ? PositionTable::with_evidence() : PositionTable::standard();
}

}  // namespace

PairModel::PairModel(PairParameters parameters)
    : PairModel(parameters, suitable_table(parameters)) {}

PairModel::PairModel(PairParameters parameters, std::shared_ptr<const PositionTable> table)
    : parameters_(parameters), table_(std::move(table)) {
  check(parameters.sharpness > 0.0, "sharpness is above 0");
  check(parameters.noise >= 0.0, "noise is not negative");
  check(parameters.fidelity > 0.0, "fidelity is above 0");
  check(parameters.sharpness_spread >= 0.0 && parameters.evidence_spread >= 0.0,
        "a spread is not negative");
  check(parameters.draft_evidence >= 0.0 && parameters.target_evidence >= 0.0,
        "evidence is not negative");
  check(parameters.drift >= 0.0, "a drift is not negative");
  if (has_evidence(parameters)) draw_next_tokens();
}

// By inversion of softmax(m s g), tokens in the order of the table.
void PairModel::draw_next_tokens() {
  std::vector<double> weights(table_->vocabulary());
  for (std::size_t i = 0; i < table_->positions(); ++i) {
    const auto g = table_->target(i);
    const double factor = scale(i) * parameters_.sharpness;
    for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = factor * (g[j] - g[0]);
    portable::exp_in_place(weights);
    double left =
        table_->evidence().next_token(i) * std::accumulate(weights.begin(), weights.end(), 0.0);
    std::size_t token = 0;
    while (token + 1 < weights.size() && left >= weights[token]) left -= weights[token++];
    next_tokens_.push_back(token);
  }
}

void PairModel::add_evidence(const EvidenceSide& side, double mean, std::size_t position,
                             std::span<double> logits) const {
  if (mean == 0.0) return;
  const double spread = parameters_.evidence_spread;
  const double evidence =
      spread == 0.0 ? mean
                    : mean * portable::exp(spread * (side.strength(position) - 0.5 * spread));
  const double deviation = std::sqrt(evidence);
  const auto noise = side.noise(position);
  const std::size_t next = next_tokens_[position];
  for (std::size_t j = 0; j < logits.size(); ++j)
    logits[j] += j == next ? evidence + deviation * side.truth(position) : deviation * noise[j];
}

double PairModel::scale(std::size_t position) const {
  const double spread = parameters_.sharpness_spread;
  if (spread == 0.0) return 1.0;
  return portable::exp(spread * (table_->quantile(position) - 0.5 * spread));
}

std::size_t PairModel::relevant_tokens(std::size_t position, double temperature) const {
  if (!next_tokens_.empty()) return table_->vocabulary();
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
  if (next_tokens_.empty()) return;
  const EvidenceColumns& evidence = table_->evidence();
  add_evidence(evidence.draft(), parameters_.draft_evidence, position, logits);
  add_evidence(evidence.target(), parameters_.target_evidence, position, logits);
}

void PairModel::draft_logits(std::size_t position, std::span<double> logits) const {
  const auto g = table_->target(position);
  const auto noise = table_->draft_noise(position);
  const double signal = scale(position) * parameters_.fidelity * parameters_.sharpness;
  const double error = scale(position) * parameters_.noise;
  if (next_tokens_.empty()) {
    for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = signal * g[i] + error * noise[i];
    return;
  }
  const double common = scale(position) * parameters_.sharpness;
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = common * g[i];
  add_evidence(table_->evidence().draft(), parameters_.draft_evidence, position, logits);
  for (std::size_t i = 0; i < logits.size(); ++i)
    logits[i] = parameters_.fidelity * logits[i] + error * noise[i];
}

}  // namespace specroute::models
