/// @file
/// The least scenario that has step tables: one target, one draft, one class.
#pragma once

#include <string>
#include <utility>

#include "sim/serving/pair_tables.hpp"

namespace specroute::sim {

inline constexpr BackendId kPairTarget{0};
inline constexpr BackendId kPairDraft{1};

/// The rule's parameters are those of the engines; two synthetic rates, .6 and .4.
inline Scenario pair_scenario(Rule rule) {
  const auto backend = [](const char* name, Role role) {
    Backend result{};
    result.name = name;
    result.role = role;
    result.model = role == Role::target ? "llama-3.1-8b" : "smollm-135m";
    result.pool = PoolId{0};
    result.tokenizer = "llama-3.1";
    result.attention_mask = "causal";
    result.kv_block_tokens = 16;
    return result;
  };
  Scenario s{};
  s.pools = {{"pool", {rule, Forward::logits, 2, Bytes{512.0}, 1}}};
  RuleParameters& parameters = s.pools[0].speculation.rule_parameters;
  parameters.posterior_threshold = 0.09;
  parameters.posterior_alpha = 0.3;
  parameters.threshold_single = parameters.threshold_acc = 1.0;
  parameters.synthetic_acceptance_rates = {0.6, 0.4};
  s.backends = {backend("target", Role::target), backend("draft", Role::draft)};
  s.profiles = {{"chat", {0.7, 1.0, 0, 0.0, 7, "orders"}}};
  RequestClass asking{};
  asking.pool = PoolId{0};
  asking.profile = ProfileId{0};
  asking.content = {{Seconds{0.0}, "prose"}};
  s.classes = {asking};
  s.vocabulary_slice = 64;
  s.acceptance = {{"llama-3.1-8b", "smollm-135m", "prose", 1.0, 3.5, 0.3, {}}};
  s.degradation = {5e-3, 335.0, 0.7, 0.95, 1e-3, 1e-2, 0.0, 8};
  return s;
}

/// A patch on the draft, in force from the start.
inline Override draft_override(std::optional<double> temperature) {
  return {.backend = kPairDraft,
          .owner = "job",
          .from = Seconds{0.0},
          .owner_gone = Seconds{1.0},
          .until = {},
          .replaces_block = false,
          .temperature = temperature,
          .top_p = {},
          .top_k = {},
          .min_p = {},
          .seed = {},
          .grammar = {}};
}

}  // namespace specroute::sim
