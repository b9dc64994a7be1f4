/// @file
/// Every fault that a document has against the schema, in words.
///
/// It knows the keywords that our schemas use, and a test holds it to the verdict of the validation
/// library. Keywords: $ref (alone), type, enum, const, the four bounds, minLength,
/// minItems, maxItems, items, properties, propertyNames (of a value alone), required,
/// minProperties, additionalProperties, allOf, if/then/else, and the schema `false`.
#pragma once

#include <string>

#include <specroute/vocab/result.hpp>

#include "sim/json/json_value.hpp"

namespace specroute::sim {

/// Faults of `value` against the schema document `root`, in schema order. Files are left empty.
/// Empty exactly where the schema accepts the value.
Diagnostics schema_faults(const JsonValue& root, const JsonValue& value);

/// Whether `schema`, a part of the document `root`, accepts `value`, by the same walk.
bool schema_matches(const JsonValue& schema, const JsonValue& value, const JsonValue& root);

}  // namespace specroute::sim
