#include "models/speculation/acceptance.hpp"
#include "sim/scenario/decode.hpp"

namespace specroute::sim {
namespace {

/// Parameters of both sides at a measurement; filters that are not named were off.
Sampling measured_sampling(const JsonNode& node) {
  return {.temperature = node.number("temperature").value_or(0.0),
          .top_p = node.number("top_p").value_or(1.0),
          .top_k = node.at("top_k").exists() ? count_at(node, "top_k") : 0,
          .min_p = node.number("min_p").value_or(0.0),
          .seed = 0,
          .grammar = {}};
}

AcceptanceFigure decode_figure(const JsonNode& node) {
  using Kind = AcceptanceFigure::Kind;
  static constexpr std::pair<const char*, Kind> kKinds[] = {
      {"rejection_rate", Kind::rejection_rate},
      {"exact_match_rate", Kind::exact_match_rate},
      {"argmax_agreement_rate", Kind::argmax_agreement_rate},
      {"mean_acceptance_length", Kind::mean_acceptance_length}};
  AcceptanceFigure figure{
      .kind = Kind::rejection_rate,
      .value = number_at(node, "value"),
      .rule = node.at("rule").exists() ? rule_at(node, "rule") : Rule::rejection,
      .sampling = measured_sampling(node),
      .draft_tokens = count_at(node, "draft_tokens")};
  const std::string text = text_at(node, "figure");
  for (const auto& [spelling, kind] : kKinds)
    if (text == spelling) figure.kind = kind;
  return figure;
}

PerPosition decode_per_position(const JsonNode& node) {
  const auto unconditional = numbers_at(node, "acceptance_rates");
  return {.conditional = unconditional.empty() ? numbers_at(node, "conditional_rates")
                                               : models::conditional_shape(unconditional),
          .rule = rule_at(node, "rule"),
          .sampling = measured_sampling(node)};
}

models::ContextDecay decode_decay(const JsonNode& node) {
  using Of = models::ContextDecay::Of;
  models::ContextDecay decay{
      .of = text_at(node, "of") == "alpha" ? Of::alpha : Of::mean_acceptance_length, .points = {}};
  for (const auto& point : node.items("points"))
    decay.points.push_back(
        {.context_tokens = number_at(point, "context_tokens"), .value = number_at(point, "value")});
  return decay;
}

AcceptancePair decode_pair(const JsonNode& node) {
  const JsonNode parameters = node.at("parameters");
  AcceptancePair decoded{.target_model = text_at(node, "target_model"),
                         .draft_model = text_at(node, "draft_model"),
                         .content = text_at(node, "content"),
                         .kappa = node.number("kappa").value_or(1.0),
                         .sharpness = parameters.number("sharpness"),
                         .noise = parameters.number("noise"),
                         .calibrate = {},
                         .correlation = node.number("correlation").value_or(0.0)};
  decoded.draft_weights = node.text("draft_weights").value_or("");
  for (const auto& figure : node.items("calibrate"))
    decoded.calibrate.push_back(decode_figure(figure));
  if (const JsonNode given = node.at("information"); given.exists())
    decoded.information = InformationPair{.sharpness = number_at(given, "sharpness"),
                                          .evidence_spread = number_at(given, "evidence_spread"),
                                          .drift = number_at(given, "drift")};
  if (const JsonNode shape = node.at("per_position"); shape.exists())
    decoded.per_position = decode_per_position(shape);
  if (const JsonNode decay = node.at("context_decay"); decay.exists())
    decoded.context_decay = decode_decay(decay);
  return decoded;
}

}  // namespace

void decode_acceptance(const JsonNode& acceptance, Scenario& scenario) {
  scenario.vocabulary_slice = count_at(acceptance, "vocabulary_slice");
  for (const auto& node : acceptance.items("pairs"))
    scenario.acceptance.push_back(decode_pair(node));
}

}  // namespace specroute::sim
