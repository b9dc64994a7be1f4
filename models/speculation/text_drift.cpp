#include "models/speculation/text_drift.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "models/random/portable_math.hpp"
#include "models/speculation/position_columns.hpp"

namespace specroute::models {
namespace {

using Column = std::vector<double>;

// Sum over tokens of (emitted - p_1) log p_1, from the target's logits, which become p_1.
double gain_at(std::span<const double> emitted, std::span<double> logits, Column& shifted) {
  const double top = *std::max_element(logits.begin(), logits.end());
  for (double& logit : logits) logit -= top;
  shifted.assign(logits.begin(), logits.end());
  portable::exp_in_place(logits);
  double total = 0.0;
  for (const double weight : logits) total += weight;
  double gain = 0.0;  // the constant of log p_1 falls out: both distributions sum to 1
  for (std::size_t j = 0; j < logits.size(); ++j)
    gain += (emitted[j] - logits[j] / total) * shifted[j];
  return gain;
}

}  // namespace

double likelihood_gain_nats(const PairModel& model, const Verifier& given,
                            const Situation& situation) {
  const Verifier verifier = effective(given, situation);
  const bool lossless = is_lossless(verifier, situation);
  if (lossless && same_distribution(situation.request, {})) return 0.0;
  const std::size_t vocabulary = model.table().vocabulary();
  // A lossless rule emits p, which exact_match reads off without more.
  const Verifier emitting = lossless ? Verifier{.rule = VerificationRule::exact_match} : verifier;
  // p_1 is of temperature 1, whatever the sides apply.
  const double temperature =
      std::max({1.0, situation.request.temperature, situation.in_force.temperature,
                situation.believed.temperature});
  PositionColumns columns{vocabulary};
  Column emitted(vocabulary);
  Column natural(vocabulary);
  Column shifted;
  double gain = 0.0;
  for (std::size_t i = 0; i < model.table().positions(); ++i) {
    const auto position = columns.fill(model, i, emitting.rule, situation, temperature);
    const std::size_t tokens = position.wanted.size();
    const std::span<double> p1{natural.data(), tokens};
    const std::span<double> emission{emitted.data(), tokens};
    verify_position(emitting, position, emission);
    model.target_logits(i, p1);
    gain += gain_at(emission, p1, shifted);
  }
  return gain / static_cast<double>(model.table().positions());
}

PairModel on_generated_text(const PairModel& model, const Verifier& verifier,
                            const Situation& situation) {
  PairParameters pair = model.parameters();
  if (pair.drift > 0.0 && pair.target_evidence > 0.0)
    pair.target_evidence *=
        portable::exp(-pair.drift * likelihood_gain_nats(model, verifier, situation));
  pair.drift = 0.0;
  return PairModel{pair, model.shared_table()};
}

}  // namespace specroute::models
