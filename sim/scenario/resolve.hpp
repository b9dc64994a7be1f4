/// @file
/// The resolved scenario: defaults written out, one spelling for each number.
#pragma once

#include "sim/json/json_value.hpp"

namespace specroute::sim {

/// Adds to `value` every key that it lacks and `schema` has a default for, outside in, and makes a
/// real of each number whose key the schema types as "number", so that 620, 620.0 and 6.2e2 have
/// one spelling. Parts that the schema rejects are left as they are.
void resolve_value(const JsonValue& schema, JsonValue& value);

}  // namespace specroute::sim
