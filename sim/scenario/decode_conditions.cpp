#include "sim/scenario/decode.hpp"

namespace specroute::sim {
namespace {

std::optional<std::uint32_t> optional_count(const JsonNode& node, const char* key) {
  return node.number(key) ? std::optional(count_at(node, key)) : std::nullopt;
}

std::optional<Seconds> until(const JsonNode& node) {
  const auto number = node.number("until_s");
  return number ? std::optional(Seconds{*number}) : std::nullopt;
}

EngineChange decode_engine_change(const JsonNode& node, const Scenario& scenario) {
  const JsonNode set = node.at("set");
  EngineChange change{.backend = id_at<BackendId>(node, "backend", scenario.backends),
                      .cause = text_at(node, "cause"),
                      .from = seconds_at(node, "from_s"),
                      .until = until(node),
                      .at_restart = text_at(node, "takes_effect") == "at_restart",
                      .survives_restart = truth_at(node, "survives_restart"),
                      .tokenizer = set.text("tokenizer"),
                      .vocabulary_tokens = optional_count(set, "vocabulary_tokens"),
                      .kv_block_tokens = optional_count(set, "kv_block_tokens"),
                      .attention_mask = set.text("attention_mask"),
                      .draft_weights = set.text("draft_weights")};
  if (!set.at("rule").exists()) return change;
  const PoolId pool = scenario.backends[change.backend.index()].pool;
  change.rule = rule_at(set, "rule");
  change.rule_parameters =
      decode_rule_parameters(set, scenario.pools[pool.index()].speculation.draft_tokens);
  return change;
}

TelemetryFault::Kind telemetry_kind(const std::string& text) {
  using Kind = TelemetryFault::Kind;
  if (text == "delay") return Kind::delay;
  if (text == "loss") return Kind::loss;
  if (text == "counter_reset") return Kind::counter_reset;
  return text == "one_engine" ? Kind::one_engine : Kind::other_denominator;
}

TelemetryFault decode_telemetry_fault(const JsonNode& node, const Scenario& scenario) {
  TelemetryFault fault{.kind = telemetry_kind(text_at(node, "kind")),
                       .backend = id_at<BackendId>(node, "backend", scenario.backends),
                       .from = seconds_at(node, "from_s"),
                       .until = until(node)};
  if (node.number("extra_ms")) fault.extra = milliseconds_at(node, "extra_ms");
  fault.share = node.number("share").value_or(0.0);
  if (node.text("denominator") == "verified_positions")
    fault.denominator = TelemetryFault::Denominator::verified_positions;
  fault.engine = optional_count(node, "engine").value_or(0);
  return fault;
}

}  // namespace

void decode_conditions(const JsonNode& root, Scenario& scenario) {
  for (const auto& node : root.items("engine_changes"))
    scenario.engine_changes.push_back(decode_engine_change(node, scenario));
  for (const auto& node : root.items("telemetry_faults"))
    scenario.telemetry_faults.push_back(decode_telemetry_fault(node, scenario));
}

}  // namespace specroute::sim
