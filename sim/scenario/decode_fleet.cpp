#include "sim/scenario/decode.hpp"

namespace specroute::sim {
namespace {

Rule rule_of(const std::string& text) {
  if (text == "rejection") return Rule::rejection;
  if (text == "exact_match") return Rule::exact_match;
  if (text == "one_hot") return Rule::one_hot;
  check(text == "forwarded_logits", "the schema lists the rules that are decoded");
  return Rule::forwarded_logits;
}

Pool decode_pool(const JsonNode& node) {
  const JsonNode speculation = node.at("speculation");
  const bool logits = text_at(speculation, "forward") == "logits";
  return {.name = text_at(node, "name"),
          .speculation = {.rule = rule_of(text_at(speculation, "rule")),
                          .forward = logits ? Forward::logits : Forward::tokens,
                          .draft_tokens = count_at(speculation, "draft_tokens"),
                          .forwarded_per_position =
                              Bytes{number_at(speculation, "forwarded_bytes_per_position")},
                          .half_batches = count_at(speculation, "half_batches")}};
}

std::optional<RepetitionDetection> decode_detection(const JsonNode& node) {
  if (!node.exists()) return std::nullopt;
  return RepetitionDetection{.min_pattern_tokens = count_at(node, "min_pattern_tokens"),
                             .max_pattern_tokens = count_at(node, "max_pattern_tokens"),
                             .min_count = count_at(node, "min_count")};
}

Backend decode_backend(const JsonNode& node, const std::vector<Pool>& pools) {
  return {.name = text_at(node, "name"),
          .role = text_at(node, "role") == "target" ? Role::target : Role::draft,
          .pool = id_at<PoolId>(node, "pool", pools),
          .standby = truth_at(node, "standby"),
          .rack = text_at(node, "rack"),
          .model = text_at(node, "model"),
          .precision = text_at(node, "precision") == "fp8" ? Precision::fp8 : Precision::bf16,
          .device = text_at(node, "device"),
          .engine = text_at(node, "engine"),
          .tensor_parallel = count_at(node, "tensor_parallel"),
          .engines = count_at(node, "engines"),
          .tokenizer = text_at(node, "tokenizer"),
          .kv_block_tokens = count_at(node, "kv_block_tokens"),
          .attention_mask = text_at(node, "attention_mask"),
          .max_sequences = count_at(node, "max_sequences"),
          .prefill_chunk_tokens = count_at(node, "prefill_chunk_tokens"),
          .memory_utilisation = number_at(node, "memory_utilisation"),
          .repetition_detection = decode_detection(node.at("repetition_detection"))};
}

}  // namespace

void decode_fleet(const JsonNode& fleet, Scenario& scenario) {
  for (const auto& node : fleet.items("pools")) scenario.pools.push_back(decode_pool(node));
  for (const auto& node : fleet.items("backends"))
    scenario.backends.push_back(decode_backend(node, scenario.pools));
  for (const auto& node : fleet.items("pairings"))
    scenario.pairings.push_back({.target = id_at<BackendId>(node, "target", scenario.backends),
                                 .draft = id_at<BackendId>(node, "draft", scenario.backends)});
}

}  // namespace specroute::sim
