#include "sim/scenario/schema.hpp"

#include <specroute/vocab/check.hpp>

#include "sim/json/json_text.hpp"
#include "sim/json/schema_verdict.hpp"

namespace specroute::sim {

const JsonValue& scenario_schema() {
  static const JsonValue schema = [] {
    auto parsed = parse_json(std::string(scenario_schema_text()), "scenario.schema.json");
    check(parsed.ok() && parsed.value().duplicate_keys.empty(), "the embedded schema is JSON");
    return std::move(parsed).value().root;
  }();
  return schema;
}

bool schema_accepts(const std::string& text) {
  static const SchemaVerdict verdict(scenario_schema_text());
  return verdict.accepts(text);
}

}  // namespace specroute::sim
