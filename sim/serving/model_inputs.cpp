#include "sim/serving/model_inputs.hpp"

#include <specroute/vocab/check.hpp>

#include "models/speculation/acceptance.hpp"
#include "models/speculation/evidence_calibration.hpp"

namespace specroute::sim {
namespace {

models::FigureKind figure_kind(AcceptanceFigure::Kind kind) {
  switch (kind) {
    case AcceptanceFigure::Kind::rejection_rate:
      return models::FigureKind::rejection_acceptance;
    case AcceptanceFigure::Kind::exact_match_rate:
      return models::FigureKind::exact_match_acceptance;
    case AcceptanceFigure::Kind::argmax_agreement_rate:
      return models::FigureKind::argmax_agreement;
    case AcceptanceFigure::Kind::mean_acceptance_length:
      return models::FigureKind::mean_acceptance_length;
  }
  check(false, "every kind of figure has its model");
  return models::FigureKind::argmax_agreement;
}

models::Figure figure(const AcceptanceFigure& from) {
  models::Figure figure{.kind = figure_kind(from.kind),
                        .value = from.value,
                        .draft_tokens = static_cast<int>(from.draft_tokens),
                        .parameters = {},
                        .rule = verification_rule(from.rule)};
  if (from.kind != AcceptanceFigure::Kind::argmax_agreement_rate)
    figure.parameters = sampling_parameters(from.sampling);
  return figure;
}

Result<models::PairParameters> information_parameters(const AcceptancePair& pair) {
  check(pair.calibrate.size() == 2, "a pair of information has two figures");
  const bool match_first = pair.calibrate[0].kind == AcceptanceFigure::Kind::exact_match_rate;
  return models::calibrate_evidence(
      {.exact_match = figure(pair.calibrate[match_first ? 0 : 1]),
       .other = figure(pair.calibrate[match_first ? 1 : 0]),
       .structure = {.sharpness = pair.information->sharpness,
                     .evidence_spread = pair.information->evidence_spread,
                     .drift = pair.information->drift}});
}

}  // namespace

models::SamplingParameters sampling_parameters(const Sampling& sampling) {
  return {.temperature = sampling.temperature,
          .top_p = sampling.top_p,
          .top_k = static_cast<int>(sampling.top_k),
          .min_p = sampling.min_p,
          .seed = sampling.seed,
          .grammar_id = sampling.grammar};
}

models::VerificationRule verification_rule(Rule rule) {
  switch (rule) {
    case Rule::rejection:
      return models::VerificationRule::rejection;
    case Rule::exact_match:
      return models::VerificationRule::exact_match;
    case Rule::one_hot:
      return models::VerificationRule::one_hot;
    case Rule::forwarded_logits:
      return models::VerificationRule::forwarded_logits;
    case Rule::coupled_match:
      return models::VerificationRule::coupled_match;
    case Rule::typical:
      return models::VerificationRule::typical;
    case Rule::threshold:
      return models::VerificationRule::threshold;
    case Rule::synthetic:
      return models::VerificationRule::synthetic;
  }
  check(false, "every rule has its model");
  return models::VerificationRule::rejection;
}

models::Verifier verifier(const Speculation& speculation) {
  const RuleParameters& parameters = speculation.rule_parameters;
  models::Verifier result{.rule = verification_rule(speculation.rule)};
  switch (speculation.rule) {
    case Rule::rejection:
      result.lenience = parameters.lenience;
      break;
    case Rule::typical:
      result.posterior_threshold = parameters.posterior_threshold;
      result.posterior_alpha = parameters.posterior_alpha;
      break;
    case Rule::threshold:
      result.threshold_single = parameters.threshold_single;
      result.threshold_acc = parameters.threshold_acc;
      break;
    case Rule::synthetic:
      result.synthetic_share =
          models::accepted_share(models::conditional_shape(parameters.synthetic_acceptance_rates));
      break;
    default:
      break;
  }
  return result;
}

Result<models::PairParameters> pair_parameters(
    const AcceptancePair& pair, const std::shared_ptr<const models::PositionTable>& table) {
  if (pair.information) return information_parameters(pair);
  if (pair.sharpness && pair.noise)
    return models::PairParameters{
        .sharpness = *pair.sharpness, .noise = *pair.noise, .fidelity = pair.kappa};
  check(pair.calibrate.size() == 2 || pair.calibrate.size() == 3,
        "a pair has parameters or two or three figures");
  models::CalibrationRequest request{.first = figure(pair.calibrate[0]),
                                     .second = figure(pair.calibrate[1]),
                                     .fidelity = pair.kappa};
  if (pair.calibrate.size() == 3) request.third = figure(pair.calibrate[2]);
  return models::calibrate(request, table);
}

}  // namespace specroute::sim
