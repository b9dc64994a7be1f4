// Rules about engines that change, and about telemetry that goes wrong.
#include <algorithm>
#include <set>
#include <string>

#include "sim/scenario/cross_rules.hpp"

namespace specroute::sim {
namespace {

void span_rule(const JsonNode& node, Faults& faults) {
  const auto from = node.number("from_s");
  const auto until = node.number("until_s");
  if (from && until && *until <= *from)
    faults.add(node.at("until_s").pointer,
               "a time after from_s (" + found_text(*node.at("from_s").value) + ")",
               found_text(*node.at("until_s").value));
}

/// The speculation of a backend's pool; nothing where a name on the way leads nowhere.
JsonNode speculation_of(const RuleInput& input, const BackendNames& backend) {
  for (const auto& pool : input.root.at("fleet").items("pools"))
    if (pool.text("name") == backend.pool) return pool.at("speculation");
  return {};
}

/// Only a target verifies, and only a draft's weights are looked up.
void role_rules(const JsonNode& set, const BackendNames& backend, Faults& faults) {
  if (backend.role == "draft" && set.at("rule").exists())
    faults.add(set.at("rule").pointer, "no such key of a draft, which verifies nothing",
               found_text(*set.at("rule").value));
  if (backend.role == "target" && set.at("draft_weights").exists())
    faults.add(set.at("draft_weights").pointer, "no such key of a target",
               found_text(*set.at("draft_weights").value));
}

void new_rule_rules(const RuleInput& input, const JsonNode& set, const BackendNames& backend,
                    Faults& faults) {
  const JsonNode speculation = speculation_of(input, backend);
  const auto rule = set.text("rule").value_or("");
  if ((rule == "forwarded_logits" || rule == "rejection") &&
      speculation.text("forward") == "tokens")
    faults.add(set.at("rule").pointer,
               "a rule that the pool's \"forward\": \"tokens\" is enough for", quoted(rule));
  synthetic_rules(set, speculation.number("draft_tokens"), faults);
}

/// Every pair that a new version of a draft's weights can be in has its acceptance.
void weights_rule(const RuleInput& input, const JsonNode& node, const BackendNames& draft,
                  Faults& faults) {
  const auto version = node.at("set").text("draft_weights");
  if (!version || !input.names.complete) return;
  const auto has_entry = [&](const std::string& target, const std::string& content) {
    return std::ranges::any_of(
        input.root.at("acceptance").items("pairs"), [&](const JsonNode& pair) {
          return pair.text("draft_weights") == version && pair.text("target_model") == target &&
                 pair.text("draft_model") == draft.model && pair.text("content") == content;
        });
  };
  for (const auto& each : input.root.at("workload").items("classes"))
    for (const auto& phase : each.items("content"))
      for (const auto& target : input.names.backends) {
        const auto content = phase.text("content").value_or("");
        if (each.text("pool") != draft.pool || target.pool != draft.pool ||
            target.role != "target" || has_entry(target.model, content))
          continue;
        return faults.add(node.at("set").at("draft_weights").pointer,
                          "a version with an entry in /acceptance/pairs for target_model " +
                              quoted(target.model) + ", draft_model " + quoted(draft.model) +
                              ", content " + quoted(content),
                          quoted(*version));
      }
}

void engine_change_rules(const RuleInput& input, const JsonNode& node, Faults& faults) {
  require_known_name(node, "backend", input.names.backends_of_role(""), "the name of a backend",
                     faults);
  require_before_horizon(input, node, "from_s", faults);
  span_rule(node, faults);
  const BackendNames* backend = input.names.backend(node.text("backend").value_or(""));
  if (backend == nullptr) return;
  role_rules(node.at("set"), *backend, faults);
  if (backend->role == "target") new_rule_rules(input, node.at("set"), *backend, faults);
  if (backend->role == "draft") weights_rule(input, node, *backend, faults);
}

void telemetry_fault_rules(const RuleInput& input, const JsonNode& node, Faults& faults) {
  require_known_name(node, "backend", input.names.backends_of_role("target"),
                     "the name of a target, whose engines count", faults);
  require_before_horizon(input, node, "from_s", faults);
  span_rule(node, faults);
  const BackendNames* backend = input.names.backend(node.text("backend").value_or(""));
  if (backend == nullptr) return;
  const auto engine = node.number("engine");
  const auto engines = backend->node.number("engines");
  if (engine && engines && *engine >= *engines)
    faults.add(
        node.at("engine").pointer,
        "less than the backend's engines (" + found_text(*backend->node.at("engines").value) + ")",
        found_text(*node.at("engine").value));
}

/// The one engine whose counters are kept apart.
void same_engine_rule(const RuleInput& input, Faults& faults) {
  const auto all = input.root.items("telemetry_faults");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto engine = all[i].number("engine");
    const auto first = std::ranges::find_if(all, [&](const JsonNode& other) {
      return other.number("engine") && other.text("backend") == all[i].text("backend");
    });
    if (engine && first->number("engine") != engine)
      faults.add(all[i].at("engine").pointer, "the engine of " + first->pointer,
                 found_text(*all[i].at("engine").value));
  }
}

/// Any causes may be in force together, and each combination is a name of its own to blame.
void few_causes_rule(const RuleInput& input, Faults& faults) {
  constexpr std::size_t kMost = 6;
  std::set<std::string> causes;
  for (const auto& change : input.root.items("engine_changes")) {
    causes.insert(change.text("cause").value_or(""));
    if (causes.size() > kMost)
      return faults.add(change.pointer, "one of at most 6 causes", std::to_string(causes.size()));
  }
}

/// Weights that no change brings about describe a pair that cannot be.
void reachable_weights_rule(const RuleInput& input, Faults& faults) {
  std::vector<std::string> versions;
  for (const auto& change : input.root.items("engine_changes"))
    if (const auto version = change.at("set").text("draft_weights")) versions.push_back(*version);
  for (const auto& pair : input.root.at("acceptance").items("pairs"))
    require_known_name(pair, "draft_weights", versions,
                       "a version that one of /engine_changes brings about", faults);
}

void vocabulary_rule(const RuleInput& input, Faults& faults) {
  if (input.root.at("router").text("tokenizer_identity") != "vocabulary_size") return;
  for (const auto& backend : input.names.backends)
    if (!backend.node.at("vocabulary_tokens").exists())
      faults.add(backend.node.pointer,
                 "\"vocabulary_tokens\", which /router/tokenizer_identity compares", "none");
}

}  // namespace

void condition_rules(const RuleInput& input, Faults& faults) {
  for (const auto& each : input.root.items("engine_changes"))
    engine_change_rules(input, each, faults);
  for (const auto& each : input.root.items("telemetry_faults"))
    telemetry_fault_rules(input, each, faults);
  same_engine_rule(input, faults);
  few_causes_rule(input, faults);
  reachable_weights_rule(input, faults);
  vocabulary_rule(input, faults);
}

}  // namespace specroute::sim
