#include <string>
#include <utility>

#include "sim/json/json_pointer.hpp"
#include "sim/scenario/cross_rules.hpp"

namespace specroute::sim {
namespace {

void bound_rules(const JsonNode& node, Faults& faults) {
  const auto low = node.number("min");
  const auto high = node.number("max");
  const bool is_null = node.truth("is_null").value_or(false);
  const bool bounded = node.at("min").exists() || node.at("max").exists();
  if (!bounded && !is_null)
    faults.add(node.pointer, "\"min\", \"max\" or \"is_null\": true", "none of them");
  if (bounded && is_null)
    faults.add(node.at("is_null").pointer, "no bounds beside \"is_null\"", "\"min\" or \"max\"");
  if (low && high && *low > *high)
    faults.add(node.at("min").pointer, "at most max (" + found_text(*node.at("max").value) + ")",
               found_text(*node.at("min").value));
}

/// A gate that is never told what it judges by can never act.
void told_rule(const RuleInput& input, const JsonNode& config, Faults& faults) {
  constexpr std::pair<const char*, const char*> kNeeds[] = {{"error_breaker", "health_report_ms"},
                                                            {"quality_probe", "quality_sampling"}};
  for (const auto& [gate, report] : kNeeds) {
    if (config.text("gate") != gate) continue;
    const JsonNode told = input.root.at("router").at(report);
    if (told.exists() && told.value->kind != JsonValue::Kind::null) continue;
    faults.add(config.at("gate").pointer,
               "a gate that is told what it judges by (set /router/" + std::string(report) + ")",
               quoted(gate));
  }
}

}  // namespace

void gate_rules(const RuleInput& input, Faults& faults) {
  const JsonNode gates = input.root.at("gates");
  if (!gates.exists()) return;
  for (const auto& member : gates.value->members) {
    const std::string place = child_pointer(gates.pointer, member.key);
    if (member.key.empty()) faults.add(place, "a non-empty label", "\"\"");
    told_rule(input, gates.at(member.key), faults);
    if (member.value.kind != JsonValue::Kind::object || !input.options.validate_gate) continue;
    const auto config = write_json(member.value, kGateConfigLayout);
    for (const auto& fault : input.options.validate_gate(member.key, config))
      faults.add(place + (fault.place.starts_with('/') ? fault.place : std::string{}),
                 fault.expected, fault.found, fault.nearest);
  }
}

void expect_rules(const RuleInput& input, Faults& faults) {
  for (const auto& each : input.root.items("expect")) {
    require_known_name(each, "gate", input.names.gates, "the label of a gate", faults);
    if (const auto& metrics = input.options.catalogue.metrics)
      require_known_name(each, "metric", *metrics, "a metric of the summary", faults);
    bound_rules(each, faults);
  }
  const JsonNode why = input.root.at("why");
  if (!why.exists()) return;
  for (const auto& member : why.value->members)
    if (resolve_pointer(*input.root.value, member.key) == nullptr)
      faults.add(child_pointer(why.pointer, member.key), "a JSON pointer into this scenario",
                 quoted(member.key));
}

}  // namespace specroute::sim
