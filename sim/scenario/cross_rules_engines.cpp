#include <algorithm>

#include "models/workload/prefix_blocks.hpp"
#include "sim/scenario/cross_rules.hpp"

namespace specroute::sim {
namespace {

/// Only a target schedules requests: what it does about them is no business of a draft's.
void draft_rules(const JsonNode& backend, Faults& faults) {
  const auto forbid = [&](const char* key, bool said) {
    if (said)
      faults.add(backend.at(key).pointer, "no such key on a draft, which admits no request",
                 found_text(*backend.at(key).value));
  };
  forbid("admission", backend.text("admission") == "on_demand");
  forbid("max_batched_tokens", backend.number("max_batched_tokens").has_value());
  forbid("kv_blocks", backend.number("kv_blocks").has_value());
  forbid("prefix_caching", backend.truth("prefix_caching") == true);
}

/// Every sequence of a full batch must fit into a pass with its drafts, or some would never move.
void budget_rules(const JsonNode& backend, const std::vector<JsonNode>& pools, Faults& faults) {
  const auto budget = backend.number("max_batched_tokens");
  const auto sequences = backend.number("max_sequences");
  if (!budget || !sequences) return;
  for (const auto& pool : pools) {
    const auto draft_tokens = pool.at("speculation").number("draft_tokens");
    if (pool.text("name") != backend.text("pool") || !draft_tokens) continue;
    const double least = *sequences * (*draft_tokens + 1.0);
    if (*budget >= least) continue;
    const JsonNode node = backend.at("max_batched_tokens");
    faults.add(node.pointer,
               "at least max_sequences x (draft_tokens + 1) (" +
                   std::to_string(static_cast<std::uint64_t>(least)) + ")",
               found_text(*node.value));
  }
}

void cache_rules(const JsonNode& backend, Faults& faults) {
  const JsonNode node = backend.at("kv_block_tokens");
  if (backend.truth("prefix_caching") != true || !node.exists() ||
      node.value->kind != JsonValue::Kind::integer || node.value->integer < 1)
    return;
  if (models::kPrefixBlockTokens % node.value->integer != 0)
    faults.add(node.pointer, "a divisor of 512, the tokens of a hashed block, for prefix_caching",
               found_text(*node.value));
}

void schedule_rules(const JsonNode& pool, const ScenarioNames& names, Faults& faults) {
  const JsonNode speculation = pool.at("speculation");
  const auto most = speculation.number("draft_tokens");
  std::optional<double> last;
  double largest_batch = 0.0;
  for (const auto& backend : names.backends)
    if (backend.role == "target" && backend.pool == pool.text("name"))
      largest_batch = std::max(largest_batch, backend.node.number("max_sequences").value_or(1e9));
  for (const auto& step : speculation.items("draft_tokens_by_batch")) {
    const auto from = step.number("from_sequences");
    const auto drafts = step.number("draft_tokens");
    if (!from || !drafts) return;
    const JsonNode place = step.at("from_sequences");
    if (last && *from <= *last)
      faults.add(place.pointer, "more sequences than in the step before it",
                 found_text(*place.value));
    if (names.complete && *from > largest_batch)
      faults.add(place.pointer, "a batch that some target of the pool can have",
                 found_text(*place.value));
    if (most && *drafts > *most)
      faults.add(step.at("draft_tokens").pointer,
                 "at most the pool's draft_tokens (" +
                     found_text(*speculation.at("draft_tokens").value) + ")",
                 found_text(*step.at("draft_tokens").value));
    last = from;
  }
}

}  // namespace

void engine_rules(const RuleInput& input, Faults& faults) {
  const std::vector<JsonNode> pools = input.root.at("fleet").items("pools");
  for (const auto& pool : pools) schedule_rules(pool, input.names, faults);
  for (const auto& backend : input.root.at("fleet").items("backends")) {
    if (backend.text("role") == "draft") {
      draft_rules(backend, faults);
    } else {
      budget_rules(backend, pools, faults);
      cache_rules(backend, faults);
    }
  }
}

}  // namespace specroute::sim
