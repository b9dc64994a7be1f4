#include "tests/real_pair/prediction.hpp"

#include <span>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"
#include "models/speculation/acceptance.hpp"
#include "models/speculation/evidence_calibration.hpp"

namespace specroute::real_pair {
namespace {

using models::VerificationRule;

models::Figure figure(models::FigureKind kind, const Estimate& acceptance) {
  return {.kind = kind, .value = acceptance.mean, .draft_tokens = 1};
}

VerificationRule rule_of(Rule rule) {
  switch (rule) {
    case Rule::rejection:
      return VerificationRule::rejection;
    case Rule::exact_match:
      return VerificationRule::exact_match;
    case Rule::coupled_match:
      return VerificationRule::coupled_match;
    case Rule::one_hot:
      return VerificationRule::one_hot;
    case Rule::typical:
      return VerificationRule::typical;
    case Rule::threshold:
      return VerificationRule::threshold;
    case Rule::forwarded_logits:
      return VerificationRule::forwarded_logits;
    case Rule::synthetic:
      return VerificationRule::synthetic;
  }
  check(false, "a rule is one of the enumerators");
  return VerificationRule::rejection;
}

// Accepted over decided on, of the head of the vector that `synthetic` is given.
double synthetic_share(Text text) {
  double reached = 0.0;
  double accepted = 0.0;
  double here = 1.0;
  for (const double conditional : std::span{kSyntheticConditional}.first(draft_symbols(text))) {
    reached += here;
    accepted += here *= conditional;
  }
  return accepted / reached;
}

models::Verifier verifier_of(Rule rule, Text text) {
  return {.rule = rule_of(rule),
          .posterior_threshold = kTypicalEpsilon,
          .posterior_alpha = kTypicalDelta,
          .threshold_single = kThresholdSingle,
          .threshold_acc = kThresholdAcc,
          .synthetic_share = synthetic_share(text)};
}

models::SamplingParameters at(double temperature) {
  return {.temperature = temperature};
}

}  // namespace

Fitted measure_fitted(const Laboratory& laboratory, int draft_order, std::size_t stride) {
  const auto acceptance = [&](Rule rule) {
    return measure(laboratory, {rule, draft_order, 1.0, 1.0}, Text::held_out, stride).acceptance;
  };
  return {.exact_match = acceptance(Rule::exact_match), .rejection = acceptance(Rule::rejection)};
}

models::PairParameters fit(const Fitted& figures) {
  const auto pair = models::calibrate_evidence(
      {.exact_match = figure(models::FigureKind::exact_match_acceptance, figures.exact_match),
       .other = figure(models::FigureKind::rejection_acceptance, figures.rejection)});
  check(pair.ok(), "the real pair's figures have a solution");
  return pair.value();
}

std::optional<models::PairParameters> fit_error(const Fitted& figures) {
  const auto pair = models::calibrate(
      {.first = figure(models::FigureKind::exact_match_acceptance, figures.exact_match),
       .second = figure(models::FigureKind::rejection_acceptance, figures.rejection)});
  return pair.ok() ? std::optional{pair.value()} : std::nullopt;
}

Predicted predict(models::PairParameters pair, const Cell& cell, Text text) {
  if (text == Text::held_out) pair.drift = 0.0;
  const auto situation =
      models::stale_draft(at(cell.request_temperature), at(cell.in_force_temperature));
  const auto outcome =
      models::evaluate(models::PairModel{pair}, verifier_of(cell.rule, text), situation);
  const auto gamma = draft_symbols(text);
  const double rate = cell.rule == Rule::synthetic
                          ? models::accepted_rate(std::span{kSyntheticConditional}.first(gamma))
                          : models::rate_from_alpha(outcome.acceptance, static_cast<int>(gamma));
  return {.rate = rate,
          .mean_length = 1.0 + static_cast<double>(gamma) * rate,
          .acceptance = outcome.acceptance,
          .total_variation = outcome.total_variation,
          .entropy = outcome.emitted_entropy_nats};
}

double looping_share(double hazard) {
  constexpr auto kSymbols = static_cast<double>(kCompletion);
  if (hazard == 0.0) return 0.0;
  return 1.0 - (1.0 - models::portable::pow(1.0 - hazard, kSymbols)) / (kSymbols * hazard);
}

double hazard_of_looping_share(double share) {
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (looping_share(middle) < share ? low : high) = middle;
  }
  return high;
}

}  // namespace specroute::real_pair
