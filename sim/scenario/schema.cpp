#include "sim/scenario/schema.hpp"

#include <specroute/vocab/check.hpp>

#include "sim/scenario/json_pointer.hpp"
#include "sim/scenario/json_text.hpp"

namespace specroute::sim {

const JsonValue& scenario_schema() {
  static const JsonValue schema = [] {
    auto parsed = parse_json(std::string(scenario_schema_text()), "scenario.schema.json");
    check(parsed.ok() && parsed.value().duplicate_keys.empty(), "the embedded schema is JSON");
    return std::move(parsed).value().root;
  }();
  return schema;
}

// A schema node outlives every reader: nodes are parts of the embedded schema.
const JsonValue& resolve_reference(const JsonValue& schema) {
  const JsonValue* reference = schema.find("$ref");
  if (reference == nullptr) return schema;  // NOLINT(bugprone-return-const-ref-from-parameter)
  const auto path = std::string_view(reference->text).substr(1);
  const JsonValue* definition = resolve_pointer(scenario_schema(), path);
  check(definition != nullptr, "every $ref of the schema leads to a definition");
  return *definition;
}

}  // namespace specroute::sim
