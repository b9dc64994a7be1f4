#include "sim/serving/mismatch.hpp"

#include <algorithm>

namespace specroute::sim {
namespace {

bool touches_binding(const EngineChange& change) {
  return change.tokenizer || change.kv_block_tokens || change.attention_mask;
}

bool may_mismatch(const Scenario& scenario, PoolId pool) {
  for (const EngineChange& change : scenario.engine_changes)
    if (scenario.backends[change.backend.index()].pool == pool && touches_binding(change))
      return true;
  for (const Backend& target : scenario.backends)
    for (const Backend& draft : scenario.backends)
      if (target.role == Role::target && draft.role == Role::draft && target.pool == pool &&
          draft.pool == pool && mismatch_of(target, draft).any())
        return true;
  return false;
}

}  // namespace

models::PairMismatch mismatch_of(const Backend& target, const Backend& draft) {
  return {.tokenizer = draft.tokenizer != target.tokenizer,
          .kv_block = draft.kv_block_tokens != target.kv_block_tokens,
          .attention_mask = draft.attention_mask != target.attention_mask};
}

std::vector<std::uint32_t> mismatched_block_tokens(const Scenario& scenario) {
  std::vector<std::uint32_t> sizes;
  for (std::uint32_t p = 0; p < scenario.pools.size(); ++p) {
    if (!may_mismatch(scenario, PoolId{p})) continue;
    for (const Backend& backend : scenario.backends)
      if (backend.role == Role::target && backend.pool == PoolId{p})
        sizes.push_back(backend.kv_block_tokens);
    for (const EngineChange& change : scenario.engine_changes) {
      const Backend& backend = scenario.backends[change.backend.index()];
      if (backend.role == Role::target && backend.pool == PoolId{p} && change.kv_block_tokens)
        sizes.push_back(*change.kv_block_tokens);
    }
  }
  std::ranges::sort(sizes);
  const auto repeats = std::ranges::unique(sizes);
  sizes.erase(repeats.begin(), repeats.end());
  return sizes;
}

}  // namespace specroute::sim
