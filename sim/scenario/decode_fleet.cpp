#include "models/speculation/acceptance.hpp"
#include "sim/scenario/decode.hpp"

namespace specroute::sim {
namespace {

DraftSchedule decode_schedule(const JsonNode& speculation) {
  DraftSchedule schedule{.by_batch = {},
                         .cap_at_limit = truth_at(speculation, "cap_drafts_at_limit")};
  for (const auto& step : speculation.items("draft_tokens_by_batch"))
    schedule.by_batch.push_back({.sequences = count_at(step, "from_sequences"),
                                 .draft_tokens = count_at(step, "draft_tokens")});
  return schedule;
}

EngineOptions decode_options(const JsonNode& backend) {
  EngineOptions options{.admission = text_at(backend, "admission") == "on_demand"
                                         ? Admission::on_demand
                                         : Admission::reserve,
                        .max_batched_tokens = {},
                        .kv_blocks = {},
                        .prefix_caching = truth_at(backend, "prefix_caching")};
  if (backend.number("max_batched_tokens"))
    options.max_batched_tokens = count_at(backend, "max_batched_tokens");
  if (backend.number("kv_blocks")) options.kv_blocks = count_at(backend, "kv_blocks");
  return options;
}

Pool decode_pool(const JsonNode& node) {
  const JsonNode speculation = node.at("speculation");
  const bool logits = text_at(speculation, "forward") == "logits";
  return {
      .name = text_at(node, "name"),
      .speculation = {
          .rule = rule_at(speculation, "rule"),
          .forward = logits ? Forward::logits : Forward::tokens,
          .draft_tokens = count_at(speculation, "draft_tokens"),
          .forwarded_per_position = Bytes{number_at(speculation, "forwarded_bytes_per_position")},
          .half_batches = count_at(speculation, "half_batches"),
          .rule_parameters =
              decode_rule_parameters(speculation, count_at(speculation, "draft_tokens")),
          .schedule = decode_schedule(speculation),
          .draft_timeout = optional_milliseconds_at(speculation, "draft_timeout_ms")}};
}

std::optional<RepetitionDetection> decode_detection(const JsonNode& node) {
  if (!node.exists()) return std::nullopt;
  return RepetitionDetection{.min_pattern_tokens = count_at(node, "min_pattern_tokens"),
                             .max_pattern_tokens = count_at(node, "max_pattern_tokens"),
                             .min_count = count_at(node, "min_count")};
}

}  // namespace

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
          .repetition_detection = decode_detection(node.at("repetition_detection")),
          .options = decode_options(node),
          .vocabulary_tokens =
              node.number("vocabulary_tokens") ? count_at(node, "vocabulary_tokens") : 0};
}

RuleParameters decode_rule_parameters(const JsonNode& node, std::uint32_t draft_tokens) {
  RuleParameters parameters;
  const auto take = [&node](const char* key, double& into) {
    if (const auto value = node.number(key)) into = *value;
  };
  take("lenience", parameters.lenience);
  take("typical_posterior_threshold", parameters.posterior_threshold);
  take("typical_posterior_alpha", parameters.posterior_alpha);
  take("accept_threshold_single", parameters.threshold_single);
  take("accept_threshold_acc", parameters.threshold_acc);
  parameters.draft_probabilities_forwarded = node.text("draft_probabilities") == "forwarded";
  parameters.synthetic_acceptance_rates = numbers_at(node, "synthetic_acceptance_rates");
  if (const auto length = node.number("synthetic_acceptance_length"))
    parameters.synthetic_acceptance_rates =
        models::rates_from_length(*length, static_cast<int>(draft_tokens));
  return parameters;
}

void decode_fleet(const JsonNode& fleet, Scenario& scenario) {
  for (const auto& node : fleet.items("pools")) scenario.pools.push_back(decode_pool(node));
  decode_hosting(fleet, scenario);
}

}  // namespace specroute::sim
