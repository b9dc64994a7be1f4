#include "sim/scenario/resolve.hpp"

#include "sim/json/schema_reference.hpp"
#include "sim/json/schema_report.hpp"
#include "sim/scenario/schema.hpp"

namespace specroute::sim {
namespace {

void canonical_number(const JsonValue& schema, JsonValue& value) {
  const JsonValue* type = schema.find("type");
  if (type == nullptr || type->text != "number" || !value.is_number()) return;
  value.real = value.number();
  value.kind = JsonValue::Kind::real;
  value.integer = 0;
  value.text.clear();
}

void resolve_members(const JsonValue& schema, JsonValue& value) {
  const JsonValue* properties = schema.find("properties");
  if (properties != nullptr)
    for (const auto& property : properties->members) {
      const JsonValue* preset = property.value.find("default");
      if (preset != nullptr && value.find(property.key) == nullptr)
        value.members.push_back({property.key, *preset});
    }
  const JsonValue* additional = schema.find("additionalProperties");
  for (auto& member : value.members) {
    const JsonValue* known = properties == nullptr ? nullptr : properties->find(member.key);
    if (known == nullptr) known = additional;
    if (known != nullptr) resolve_value(*known, member.value);
  }
}

}  // namespace

void resolve_value(const JsonValue& unresolved, JsonValue& value) {
  const JsonValue& schema = resolve_reference(scenario_schema(), unresolved);
  canonical_number(schema, value);
  if (value.kind == JsonValue::Kind::object) resolve_members(schema, value);
  if (const JsonValue* items = schema.find("items"))
    for (auto& item : value.items) resolve_value(*items, item);
  if (const JsonValue* all = schema.find("allOf"))
    for (const auto& each : all->items) resolve_value(each, value);
  const JsonValue* condition = schema.find("if");
  if (condition == nullptr) return;
  const JsonValue* branch =
      schema.find(schema_matches(*condition, value, scenario_schema()) ? "then" : "else");
  if (branch != nullptr) resolve_value(*branch, value);
}

}  // namespace specroute::sim
