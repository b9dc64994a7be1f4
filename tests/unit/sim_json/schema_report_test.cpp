#include "sim/json/schema_report.hpp"

#include <gtest/gtest.h>

#include "sim/json/json_text.hpp"

namespace specroute::sim {
namespace {

JsonValue document(const std::string& text) {
  return parse_json(text, "t.json").value().root;
}

std::string report(const std::string& schema, const std::string& value) {
  std::string lines;
  for (const Diagnostic& fault : schema_faults(document(schema), document(value)))
    lines += to_string(fault) + '\n';
  return lines;
}

const std::string kKeysByKind =
    R"({"type": "object", "additionalProperties": false, "required": ["kind"],
  "properties": {"kind": {"type": "string"}, "a": {"type": "integer"}, "b": {"type": "integer"}},
  "allOf": [{"if": {"properties": {"kind": {"enum": ["one"]}}},
             "then": {"propertyNames": {"enum": ["kind", "a"]}}},
            {"if": {"properties": {"kind": {"enum": ["two"]}}},
             "then": {"propertyNames": {"enum": ["kind", "b"]}}}]})";

TEST(SchemaReport, BarsKeysByTheirNames) {
  EXPECT_EQ(report(kKeysByKind, R"({"kind": "one", "a": 1})"), "");
  EXPECT_EQ(report(kKeysByKind, R"({"kind": "one", "b": 1})"),
            "/b: expected no such key where \"kind\" is \"one\", found 1\n");
}

TEST(SchemaReport, TellsOfAnUnknownKeyOnce) {
  EXPECT_EQ(report(kKeysByKind, R"({"kind": "one", "kinds": 1})"),
            "/kinds: found an unknown key; did you mean \"kind\"?\n");
}

// Both conditions hold of a document without the key, by the rules of JSON Schema.
TEST(SchemaReport, OfAMissingKeyTellsThatAlone) {
  EXPECT_EQ(report(kKeysByKind, R"({"a": 1, "b": 1})"),
            "/kind: expected a string, found no such key\n");
}

TEST(SchemaReport, SaysOfWhichTypeAConditionSpeaks) {
  EXPECT_EQ(
      report(R"({"type": ["string", "object"], "if": {"type": "string"}, "then": {"enum": ["x"]}})",
             R"("y")"),
      "expected \"x\" where it is a string, found \"y\"\n");
}

}  // namespace
}  // namespace specroute::sim
