#include "sim/scenario/cross_rules.hpp"
#include "sim/scenario/decode.hpp"

namespace specroute::sim {
namespace {

Override decode_override(const JsonNode& node, const Scenario& scenario) {
  const JsonNode set = node.at("set");
  Override decoded{.backend = id_at<BackendId>(node, "backend", scenario.backends),
                   .owner = text_at(node, "owner"),
                   .from = seconds_at(node, "from_s"),
                   .owner_gone = seconds_at(node, "owner_gone_s"),
                   .until = optional_seconds_at(node, "until_s"),
                   .replaces_block = text_at(node, "scope") == "parameter_block",
                   .temperature = set.number("temperature"),
                   .top_p = set.number("top_p"),
                   .top_k = {},
                   .min_p = set.number("min_p"),
                   .seed = {},
                   .grammar = {}};
  decoded.at_restart = text_at(node, "takes_effect") == "at_restart";
  decoded.survives_restart = truth_at(node, "survives_restart");
  decoded.last_request = text_at(node, "scope") == "last_request";
  if (set.at("top_k").exists()) decoded.top_k = count_at(set, "top_k");
  if (set.at("seed").exists()) decoded.seed = integer_at(set, "seed");
  if (set.at("grammar").exists()) decoded.grammar = set.text("grammar").value_or("");
  return decoded;
}

Expectation decode_expectation(const JsonNode& node) {
  return {.gate = text_at(node, "gate"),
          .metric = text_at(node, "metric"),
          .every_seed = text_at(node, "over") == "every_seed",
          .min = node.number("min"),
          .max = node.number("max"),
          .is_null = truth_at(node, "is_null")};
}

}  // namespace

void decode_plans(const JsonNode& root, Scenario& scenario) {
  for (const auto& member : root.at("gates").value->members)
    scenario.gates.push_back(
        {.label = member.key, .config_json = write_json(member.value, kGateConfigLayout)});
  decode_faults(root, scenario);
  for (const auto& node : root.items("overrides"))
    scenario.overrides.push_back(decode_override(node, scenario));
  for (const auto& node : root.items("expect")) scenario.expect.push_back(decode_expectation(node));
}

}  // namespace specroute::sim
