#include "sim/json/schema_reference.hpp"

#include <gtest/gtest.h>

#include "sim/json/json_pointer.hpp"
#include "sim/json/json_text.hpp"
#include "sim/json/schema_report.hpp"

namespace specroute::sim {
namespace {

JsonValue tree(const std::string& text) {
  return parse_json(text, "t.json").value().root;
}

TEST(SchemaReference, LeadsIntoTheDocumentThatTheNodeIsAPartOf) {
  const auto root =
      tree(R"({"definitions": {"share": {"type": "number", "minimum": 0, "maximum": 1}},
                             "properties": {"a": {"$ref": "#/definitions/share"}}})");
  const JsonValue* node = resolve_pointer(root, "/properties/a");
  EXPECT_EQ(&resolve_reference(root, *node), resolve_pointer(root, "/definitions/share"));
  EXPECT_EQ(&resolve_reference(root, root), &root);
}

TEST(SchemaReference, IsFollowedWhereverFaultsAreSought) {
  const auto root =
      tree(R"({"definitions": {"share": {"type": "number", "minimum": 0, "maximum": 1}},
      "type": "object", "required": ["b"],
      "properties": {"a": {"$ref": "#/definitions/share"}, "b": {"$ref": "#/definitions/share"}}})");
  const auto faults = schema_faults(root, tree(R"({"a": 2})"));
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].place, "/a");
  EXPECT_EQ(faults[0].expected, "a number in [0, 1]");
  EXPECT_EQ(faults[1].place, "/b");
  EXPECT_EQ(faults[1].expected, "a number in [0, 1]");
}

}  // namespace
}  // namespace specroute::sim
