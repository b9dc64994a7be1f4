#include "sim/policy_test/schema.hpp"

#include <utility>

#include <specroute/vocab/check.hpp>

#include "sim/json/json_text.hpp"
#include "sim/json/schema_verdict.hpp"

namespace specroute::sim {

const JsonValue& policy_test_schema() {
  static const JsonValue schema = [] {
    auto parsed = parse_json(std::string(policy_test_schema_text()), "policy_test.schema.json");
    check(parsed.ok() && parsed.value().duplicate_keys.empty(), "the embedded schema is JSON");
    return std::move(parsed).value().root;
  }();
  return schema;
}

bool policy_test_schema_accepts(const std::string& text) {
  static const SchemaVerdict verdict(policy_test_schema_text());
  return verdict.accepts(text);
}

}  // namespace specroute::sim
