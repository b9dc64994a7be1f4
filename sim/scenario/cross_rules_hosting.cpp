#include <algorithm>

#include "sim/scenario/cross_rules.hpp"

namespace specroute::sim {
namespace {

/// What only drafts have.
void draft_only_rules(const BackendNames& backend, Faults& faults) {
  if (backend.role != "target") return;
  const JsonNode& node = backend.node;
  if (node.number("max_targets").value_or(1.0) != 1.0)
    faults.add(node.at("max_targets").pointer, "no such key on a target",
               found_text(*node.at("max_targets").value));
  if (node.text("colocated_with"))
    faults.add(node.at("colocated_with").pointer, "no such key on a target",
               found_text(*node.at("colocated_with").value));
}

/// Two backends on the same devices agree on them.
void shared_device_rules(const JsonNode& draft, const JsonNode& target, Faults& faults) {
  for (const char* key : {"device", "tensor_parallel", "engines", "count"}) {
    const JsonNode own = draft.at(key);
    const JsonNode other = target.at(key);
    if (!own.exists() || !other.exists()) continue;
    const std::string expected = found_text(*other.value);
    if (found_text(*own.value) != expected)
      faults.add(own.pointer,
                 expected + ", as of " + quoted(target.text("name").value_or("")) +
                     " on whose devices it runs",
                 found_text(*own.value));
  }
  if (draft.number("max_targets").value_or(1.0) != 1.0)
    faults.add(draft.at("max_targets").pointer, "1 of a co-located draft",
               found_text(*draft.at("max_targets").value));
}

void colocation_rules(const BackendNames& backend, const ScenarioNames& names, Faults& faults) {
  const auto owner = backend.node.text("colocated_with");
  if (!owner || owner->empty() || backend.role != "draft") return;
  const auto targets = names.members(*owner);
  std::vector<std::string> known = names.groups_of_role("target");
  if (targets.empty() || targets.front()->role != "target" || targets.front()->group != *owner)
    return require_known_name(backend.node, "colocated_with", known, "the name of a target backend",
                              faults);
  shared_device_rules(backend.node, targets.front()->node, faults);
}

void pool_rules(const RuleInput& input, const JsonNode& pool, Faults& faults) {
  for (const auto& name : pool.items("draft_pools")) {
    const std::string text = name.value->text;
    if (name.value->kind != JsonValue::Kind::text || text.empty()) continue;
    const auto& known = input.names.draft_pools;
    if (std::ranges::find(known, text) == known.end())
      faults.add(name.pointer, "the name of a draft pool", quoted(text));
  }
}

void rack_rules(const ScenarioNames& names, Faults& faults) {
  for (const auto& later : names.backends)
    for (const auto& earlier : names.backends) {
      if (&later == &earlier) break;
      const auto node = later.node.text("node");
      const auto rack = earlier.node.text("rack");
      if (!node || node->empty() || node != earlier.node.text("node") || !rack) continue;
      if (later.node.text("rack") == rack) continue;
      faults.add(later.node.at("rack").pointer,
                 quoted(*rack) + ", where the node " + quoted(*node) + " stands",
                 found_text(*later.node.at("rack").value));
      return;
    }
}

}  // namespace

void hosting_rules(const RuleInput& input, Faults& faults) {
  const ScenarioNames& names = input.names;
  for (const auto& pool : input.root.at("fleet").items("pools")) pool_rules(input, pool, faults);
  for (const auto& backend : names.backends) {
    const bool first = backend.ordinal == 1;
    if (first) draft_only_rules(backend, faults);
    if (first) colocation_rules(backend, names, faults);
    const BackendNames* const namesake = names.backend(backend.name);
    if (namesake != nullptr && namesake->group != backend.group)
      faults.add(backend.node.at("name").pointer, "a name that no other backend has",
                 quoted(backend.name) + ", which is one of " + quoted(namesake->group));
  }
  rack_rules(names, faults);
}

}  // namespace specroute::sim
