#include "sim/faults/engine_plan.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace specroute::sim {

EnginePlan::EnginePlan(const std::vector<EngineChange>& changes) : changes_(changes) {
  std::ranges::stable_sort(changes_, {}, &EngineChange::from);
}

Backend EnginePlan::live(BackendId id, const Backend& configured, Seconds now) const {
  Backend result = configured;
  for (const EngineChange& change : changes_) {
    if (!restarts_.in_force(change, id, now)) continue;
    if (change.tokenizer) result.tokenizer = *change.tokenizer;
    if (change.vocabulary_tokens) result.vocabulary_tokens = *change.vocabulary_tokens;
    if (change.kv_block_tokens) result.kv_block_tokens = *change.kv_block_tokens;
    if (change.attention_mask) result.attention_mask = *change.attention_mask;
    if (change.draft_weights) result.draft_weights = *change.draft_weights;
  }
  return result;
}

Speculation EnginePlan::speculation(BackendId target, const Speculation& configured,
                                    Seconds now) const {
  Speculation result = configured;
  for (const EngineChange& change : changes_)
    if (change.rule && restarts_.in_force(change, target, now)) {
      result.rule = *change.rule;
      result.rule_parameters = change.rule_parameters;
    }
  return result;
}

std::string EnginePlan::causes(BackendId id, Seconds now) const {
  std::set<std::string> causes;
  for (const EngineChange& change : changes_)
    if (restarts_.in_force(change, id, now)) causes.insert(change.cause);
  std::string text;
  for (const std::string& cause : causes) text += (text.empty() ? "" : " and ") + cause;
  return text;
}

std::vector<ConditionChange> EnginePlan::changes() const {
  return changes_of(changes_);
}

}  // namespace specroute::sim
