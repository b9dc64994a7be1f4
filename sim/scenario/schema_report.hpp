/// @file
/// Every fault that a document has against the schema, in words.
///
/// It knows the keywords that our schema uses, and a test holds it to the verdict of the
/// validation library. Keywords: $ref (alone), type, enum, const, the four bounds, minLength,
/// minItems, maxItems, items, properties, required, minProperties, additionalProperties, allOf,
/// if/then/else, and the schema `false`.
#pragma once

#include <string>

#include <specroute/vocab/result.hpp>

#include "sim/scenario/json_value.hpp"

namespace specroute::sim {

/// Faults of `value` against `schema`, in schema order; places start with `pointer`. Files are
/// left empty. Empty exactly where the schema accepts the value.
Diagnostics schema_faults(const JsonValue& schema, const JsonValue& value,
                          const std::string& pointer);

/// Whether `schema` accepts `value`, by the same walk.
bool schema_matches(const JsonValue& schema, const JsonValue& value);

}  // namespace specroute::sim
