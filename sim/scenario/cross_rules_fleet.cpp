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
  auto pools = fleet.items("pools");
  for (const auto& draft_pool : fleet.items("draft_pools")) pools.push_back(draft_pool);
  require_unique_names(pools, faults);
  require_unique_names(fleet.items("backends"), faults);
  for (const auto& pool : fleet.items("pools")) speculation_rules(pool, input.names, faults);
  for (const auto& backend : fleet.items("backends")) {
    const bool drafts = backend.text("role") == "draft";
    require_known_name(backend, "pool", drafts ? input.names.pools_of_drafts() : input.names.pools,
                       "the name of a pool", faults);
    require_known_name(backend, "model", catalogue.models, "a model of the catalogue", faults);
    require_known_name(backend, "device", catalogue.devices, "a device of the catalogue", faults);
    detection_rules(backend, faults);
  }
  pairing_rules(input, faults);
  hosting_rules(input, faults);
}

}  // namespace specroute::sim
