#include <utility>

#include "sim/scenario/decode.hpp"

namespace specroute::sim {
namespace {

Sampling decode_sampling(const JsonNode& node) {
  return {.temperature = number_at(node, "temperature"),
          .top_p = number_at(node, "top_p"),
          .top_k = count_at(node, "top_k"),
          .min_p = number_at(node, "min_p"),
          .seed = integer_at(node, "seed"),
          .grammar = node.text("grammar").value_or("")};
}

models::LengthKind length_kind(const std::string& spelling) {
  static constexpr std::pair<const char*, models::LengthKind> kKinds[] = {
      {"fixed", models::LengthKind::fixed},         {"uniform", models::LengthKind::uniform},
      {"lognormal", models::LengthKind::lognormal}, {"geometric", models::LengthKind::geometric},
      {"gamma", models::LengthKind::gamma},         {"empirical", models::LengthKind::empirical}};
  for (const auto& [name, kind] : kKinds)
    if (spelling == name) return kind;
  check(false, "the schema lists the kinds of length that are decoded");
  return models::LengthKind::fixed;
}

models::LengthSpec decode_length(const JsonNode& node) {
  models::LengthSpec spec;
  spec.kind = length_kind(text_at(node, "kind"));
  spec.mean = node.number("mean_tokens").value_or(spec.mean);
  spec.cv = node.number("cv").value_or(spec.cv);
  if (spec.kind == models::LengthKind::uniform) {
    spec.minimum = count_at(node, "min_tokens");
    spec.maximum = count_at(node, "max_tokens");
  }
  for (const JsonNode& value : node.items("values"))
    spec.values.push_back(
        {.tokens = count_at(value, "tokens"), .weight = number_at(value, "weight")});
  spec.limit = count_at(node, "limit_tokens");
  return spec;
}

/// A trace brings its own lengths.
models::LengthSpec optional_length(const JsonNode& node) {
  return node.exists() ? decode_length(node) : models::LengthSpec{};
}

RequestClass decode_class(const JsonNode& node, const Scenario& scenario) {
  RequestClass decoded{.name = text_at(node, "name"),
                       .pool = id_at<PoolId>(node, "pool", scenario.pools),
                       .profile = id_at<ProfileId>(node, "profile", scenario.profiles),
                       .arrivals = decode_arrivals(node.at("arrivals")),
                       .prompt = optional_length(node.at("prompt_tokens")),
                       .output = optional_length(node.at("output_tokens")),
                       .content = {},
                       .ttft_slo = milliseconds_at(node.at("slo"), "ttft_ms"),
                       .tpot_slo = milliseconds_at(node.at("slo"), "tpot_ms")};
  if (const JsonNode prefix = node.at("shared_prefix"); prefix.exists())
    decoded.shared_prefix = {.groups = count_at(prefix, "groups"),
                             .blocks = count_at(prefix, "blocks")};
  if (const JsonNode sessions = node.at("sessions"); sessions.exists())
    decoded.sessions = {.active = count_at(sessions, "active"),
                        .mean_turns = number_at(sessions, "mean_turns")};
  decoded.priority = static_cast<std::int32_t>(integer_at(node, "priority"));
  for (const auto& tenant : node.items("tenants"))
    decoded.tenants.push_back(
        {.name = text_at(tenant, "name"), .weight = number_at(tenant, "weight")});
  for (const auto& phase : node.items("content"))
    decoded.content.push_back(
        {.from = seconds_at(phase, "from_s"), .content = text_at(phase, "content")});
  return decoded;
}

}  // namespace

void decode_workload(const JsonNode& workload, Scenario& scenario) {
  for (const auto& node : workload.items("sampling_profiles"))
    scenario.profiles.push_back({.name = text_at(node, "name"), .sampling = decode_sampling(node)});
  for (const auto& node : workload.items("classes"))
    scenario.classes.push_back(decode_class(node, scenario));
}

}  // namespace specroute::sim
