/// @file
/// What a schema asks of a single value, as a phrase for a diagnostic.
#pragma once

#include <string>

#include "sim/json/json_value.hpp"

namespace specroute::sim {

/// "an integer in [1, 64]", "one of \"target\", \"draft\"", "a non-empty string or null".
std::string expected_phrase(const JsonValue& schema);

/// The condition of an "if" schema: "where \"kind\" is \"fixed\"".
std::string condition_phrase(const JsonValue& condition);

/// Whether type, enum, const, bounds, minLength, minItems, maxItems and minProperties of `schema`
/// accept `value`; what is inside of it is not looked at.
bool value_fits(const JsonValue& schema, const JsonValue& value);

/// The same for the type alone.
bool type_fits(const JsonValue& schema, const JsonValue& value);

}  // namespace specroute::sim
