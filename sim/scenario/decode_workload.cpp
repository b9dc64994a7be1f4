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

LengthDistribution decode_length(const JsonNode& node) {
  using Kind = LengthDistribution::Kind;
  const std::string kind = text_at(node, "kind");
  return {.kind = kind == "fixed"       ? Kind::fixed
                  : kind == "geometric" ? Kind::geometric
                                        : Kind::lognormal,
          .mean_tokens = number_at(node, "mean_tokens"),
          .cv = node.number("cv").value_or(0.0),
          .limit_tokens = count_at(node, "limit_tokens")};
}

RequestClass decode_class(const JsonNode& node, const Scenario& scenario) {
  RequestClass decoded{.name = text_at(node, "name"),
                       .pool = id_at<PoolId>(node, "pool", scenario.pools),
                       .profile = id_at<ProfileId>(node, "profile", scenario.profiles),
                       .rate_per_s = number_at(node.at("arrivals"), "rate_per_s"),
                       .prompt = decode_length(node.at("prompt_tokens")),
                       .output = decode_length(node.at("output_tokens")),
                       .content = {},
                       .ttft_slo = milliseconds_at(node.at("slo"), "ttft_ms"),
                       .tpot_slo = milliseconds_at(node.at("slo"), "tpot_ms")};
  if (const JsonNode prefix = node.at("shared_prefix"); prefix.exists())
    decoded.shared_prefix = {.groups = count_at(prefix, "groups"),
                             .blocks = count_at(prefix, "blocks")};
  if (const JsonNode sessions = node.at("sessions"); sessions.exists())
    decoded.sessions = {.active = count_at(sessions, "active"),
                        .mean_turns = number_at(sessions, "mean_turns")};
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
