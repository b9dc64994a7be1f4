// Averages of a rule over the positions of a token-pair model.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "models/speculation/position_columns.hpp"
#include "models/speculation/rules.hpp"
#include "models/speculation/text_drift.hpp"

namespace specroute::models {
namespace {

double total_variation(std::span<const double> a, std::span<const double> b) {
  double distance = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) distance += std::fabs(a[i] - b[i]);
  return 0.5 * distance;
}

double largest_temperature(const Situation& situation) {
  return std::max({situation.request.temperature, situation.in_force.temperature,
                   situation.believed.temperature});
}

}  // namespace

RuleOutcome evaluate(const PairModel& model, const Verifier& given, const Situation& situation) {
  if (model.parameters().drift > 0.0)
    return evaluate(on_generated_text(model, given, situation), given, situation);
  const Verifier verifier = effective(given, situation);
  const bool lossless = is_lossless(verifier, situation);
  const std::size_t positions = model.table().positions();
  const double temperature = largest_temperature(situation);
  PositionColumns columns{model.table().vocabulary()};
  std::vector<double> emission(model.table().vocabulary());
  RuleOutcome sums{};
  for (std::size_t i = 0; i < positions; ++i) {
    const auto position = columns.fill(model, i, verifier.rule, situation, temperature);
    const std::span<double> emitted{emission.data(), position.wanted.size()};
    sums.acceptance += verify_position(verifier, position, emitted);
    sums.bonus_entropy_nats += columns.wanted_entropy();
    sums.emitted_entropy_nats += lossless ? columns.wanted_entropy() : entropy_nats(emitted);
    sums.total_variation += lossless ? 0.0 : total_variation(emitted, position.wanted);
  }
  const auto count = static_cast<double>(positions);
  return {.acceptance = std::min(1.0, sums.acceptance / count),
          .emitted_entropy_nats = sums.emitted_entropy_nats / count,
          .bonus_entropy_nats = sums.bonus_entropy_nats / count,
          .total_variation = sums.total_variation / count};
}

HealthyAcceptance healthy_acceptance(const PairModel& model, const SamplingParameters& parameters) {
  if (model.parameters().drift > 0.0) {  // both rules emit p, so the text is the same
    const Verifier verifier{.rule = VerificationRule::exact_match};
    return healthy_acceptance(on_generated_text(model, verifier, healthy(parameters)), parameters);
  }
  const std::size_t positions = model.table().positions();
  std::vector<double> target(model.table().vocabulary());
  std::vector<double> draft(target.size());
  SamplingScratch scratch;
  HealthyAcceptance sums{};
  for (std::size_t i = 0; i < positions; ++i) {
    const std::size_t tokens = model.relevant_tokens(i, parameters.temperature);
    const std::span<double> p{target.data(), tokens};
    const std::span<double> q{draft.data(), tokens};
    model.target_logits(i, p);
    to_distribution(p, parameters, scratch);
    model.draft_logits(i, q);
    to_distribution(q, parameters, scratch);
    double product = 0.0;
    double overlap = 0.0;
    for (std::size_t t = 0; t < tokens; ++t) {
      product += p[t] * q[t];
      overlap += std::min(p[t], q[t]);
    }
    sums.exact_match += product;
    sums.rejection += overlap;
  }
  const auto count = static_cast<double>(positions);
  return {.rejection = std::min(1.0, sums.rejection / count),
          .exact_match = std::min(1.0, sums.exact_match / count)};
}

double argmax_agreement(const PairModel& model) {
  const PairParameters& pair = model.parameters();
  if (!has_evidence(pair))
    return model.table().agreement(pair.noise / (pair.fidelity * pair.sharpness));
  std::vector<double> target(model.table().vocabulary());
  std::vector<double> draft(target.size());
  const auto leader = [](const std::vector<double>& logits) {
    return std::max_element(logits.begin(), logits.end()) - logits.begin();
  };
  std::size_t agreeing = 0;
  for (std::size_t i = 0; i < model.table().positions(); ++i) {
    model.target_logits(i, target);
    model.draft_logits(i, draft);
    agreeing += leader(target) == leader(draft) ? 1 : 0;
  }
  return static_cast<double>(agreeing) / static_cast<double>(model.table().positions());
}

}  // namespace specroute::models
