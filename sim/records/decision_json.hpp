/// @file
/// Decisions of the policy ABI as JSON: the same decisions by name. Keys are the names of the
/// members, values as in event_json.hpp; dates that are not set are null, and one that never comes
/// is "forever". `to` is null where nothing is to be replaced.
#pragma once

#include <specroute/policy_abi.h>
#include <specroute/vocab/result.hpp>

#include "sim/json/json_node.hpp"
#include "sim/json/json_value.hpp"

namespace specroute::sim {

/// Writes one decision: its members, `reason` by the name that `module` gives it (its number is in
/// `reason_code`), and `explain`, the module's sentence. A type that is no decision of this ABI
/// gives an object with "type" (a number) and "size".
[[nodiscard]] JsonValue decision_to_json(const srp_decision& decision, const srp_module& module);

/// Reads one decision. `type`, `pairing` and `profile` must be there; what else is missing is 0.
/// `reason` and `explain` may be any text and set nothing: names belong to a module. Every fault at
/// once, as in event_from_json.
[[nodiscard]] Result<srp_decision> decision_from_json(const JsonNode& decision);

}  // namespace specroute::sim
