/// @file
/// References inside a schema document.
#pragma once

#include "sim/json/json_value.hpp"

namespace specroute::sim {

/// `schema`, or the definition that its "$ref" (always "#/definitions/NAME") leads to.
/// @param root the document that `schema` is a part of; a reference that leads nowhere is a bug
const JsonValue& resolve_reference(const JsonValue& root, const JsonValue& schema);

}  // namespace specroute::sim
