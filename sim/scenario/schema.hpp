/// @file
/// The scenario schema (JSON Schema draft-07), the one source of shapes, ranges and defaults.
#pragma once

#include <string>
#include <string_view>

#include "sim/json/json_value.hpp"

namespace specroute::sim {

/// The text of scenarios/schema/scenario.schema.json, embedded at build time.
std::string_view scenario_schema_text();

/// The same as a tree, parsed once.
const JsonValue& scenario_schema();

/// Whether the validation library accepts the document: the verdict, without reasons.
bool schema_accepts(const std::string& text);

}  // namespace specroute::sim
