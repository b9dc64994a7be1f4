#include <algorithm>

#include "sim/scenario/cross_rules.hpp"

namespace specroute::sim {
namespace {

void speculation_rules(const JsonNode& pool, const ScenarioNames& names, Faults& faults) {
  const JsonNode speculation = pool.at("speculation");
  const auto rule = speculation.text("rule").value_or("");
  if ((rule == "forwarded_logits" || rule == "rejection") &&
      speculation.text("forward") == "tokens")
    faults.add(speculation.at("forward").pointer,
               "\"logits\", which the rule " + quoted(rule) + " needs", "\"tokens\"");
  synthetic_rules(speculation, speculation.number("draft_tokens"), faults);
  if (speculation.number("half_batches") != 2.0) return;
  for (const auto& backend : names.backends)
    if (backend.role == "target" && backend.pool == pool.text("name") &&
        backend.node.number("max_sequences") == 1.0)
      faults.add(backend.node.at("max_sequences").pointer,
                 "at least 2, for the two half-batches of its pool", "1");
}

/// One side of a pairing: it exists, has the role, is not on standby, and is not taken.
const BackendNames* side_rules(const JsonNode& pairing, const std::string& role,
                               const ScenarioNames& names,
                               std::vector<std::pair<std::string, std::string>>& taken,
                               Faults& faults) {
  const auto name = pairing.text(role);
  const std::string place = pairing.at(role).pointer;
  if (!name) return nullptr;
  const BackendNames* backend = names.backend(*name);
  if (backend == nullptr) {
    require_known_name(pairing, role.c_str(), names.backends_of_role(role),
                       "the name of a " + role + " backend", faults);
    return nullptr;
  }
  if (backend->role != role) {
    const bool is_role = backend->role == "target" || backend->role == "draft";
    if (!is_role) return nullptr;  // the schema says so
    faults.add(place, "the name of a " + role + " backend",
               quoted(*name) + ", whose role is " + quoted(backend->role));
    return nullptr;
  }
  if (backend->standby)
    faults.add(place, "a backend that is bound at the start",
               quoted(*name) + ", which is on standby");
  const auto before = std::ranges::find(taken, *name, &std::pair<std::string, std::string>::first);
  if (before != taken.end())
    faults.add(place, "a backend that no other pairing has",
               quoted(*name) + ", which is in " + before->second);
  taken.emplace_back(*name, pairing.pointer);
  return backend;
}

void pairing_rules(const RuleInput& input, Faults& faults) {
  std::vector<std::pair<std::string, std::string>> taken;
  for (const auto& pairing : input.root.at("fleet").items("pairings")) {
    const auto* target = side_rules(pairing, "target", input.names, taken, faults);
    const auto* draft = side_rules(pairing, "draft", input.names, taken, faults);
    if (target != nullptr && draft != nullptr && target->pool != draft->pool &&
        !target->pool.empty() && !draft->pool.empty())
      faults.add(pairing.at("draft").pointer,
                 "a draft of the target's pool " + quoted(target->pool),
                 quoted(draft->name) + " of pool " + quoted(draft->pool));
  }
  if (!input.names.complete) return;
  for (const auto& backend : input.names.backends) {
    const bool paired =
        std::ranges::any_of(taken, [&](const auto& each) { return each.first == backend.name; });
    if (!paired && !backend.standby)
      faults.add(backend.node.pointer, "a backend in a pairing, or one on standby",
                 quoted(backend.name) + ", which is in none");
  }
}

void detection_rules(const JsonNode& backend, Faults& faults) {
  const JsonNode detection = backend.at("repetition_detection");
  if (!detection.exists()) return;
  if (backend.text("role") == "draft")
    faults.add(detection.pointer, "no such key on a draft, which ends no completion",
               found_text(*detection.value));
  const auto longest = detection.number("max_pattern_tokens");
  const auto shortest = detection.number("min_pattern_tokens");
  if (!longest || !shortest || *shortest <= *longest) return;
  const JsonNode node = detection.at("min_pattern_tokens");
  faults.add(
      node.pointer,
      "at most max_pattern_tokens (" + found_text(*detection.at("max_pattern_tokens").value) + ")",
      found_text(*node.value));
}

}  // namespace

void fleet_rules(const RuleInput& input, Faults& faults) {
  const JsonNode fleet = input.root.at("fleet");
  const auto& catalogue = input.options.catalogue;
  require_unique_names(fleet.items("pools"), faults);
  require_unique_names(fleet.items("backends"), faults);
  for (const auto& pool : fleet.items("pools")) speculation_rules(pool, input.names, faults);
  for (const auto& backend : fleet.items("backends")) {
    require_known_name(backend, "pool", input.names.pools, "the name of a pool", faults);
    require_known_name(backend, "model", catalogue.models, "a model of the catalogue", faults);
    require_known_name(backend, "device", catalogue.devices, "a device of the catalogue", faults);
    detection_rules(backend, faults);
  }
  pairing_rules(input, faults);
}

}  // namespace specroute::sim
