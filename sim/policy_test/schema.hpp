/// @file
/// The schema of policy test files (JSON Schema draft-07), the one source of shapes and ranges.
#pragma once

#include <string>
#include <string_view>

#include "sim/json/json_value.hpp"

namespace specroute::sim {

/// The text of scenarios/schema/policy_test.schema.json, embedded at build time.
std::string_view policy_test_schema_text();

/// The same as a tree, parsed once.
const JsonValue& policy_test_schema();

/// Whether the validation library accepts the document: the verdict, without reasons.
bool policy_test_schema_accepts(const std::string& text);

}  // namespace specroute::sim
