/// @file
/// What an expected decision has to be like, or one that must not come.
#pragma once

#include <string>
#include <vector>

#include <specroute/policy_abi.h>

#include "sim/policy_test/definitions.hpp"

namespace specroute::sim {

struct DecisionPattern {
  std::string pointer;         ///< where it stands in the file
  std::string text;            ///< as the file has it, in one line
  srp_ns from = 0;             ///< said then or later
  srp_ns until = SRP_FOREVER;  ///< said then or before
  bool dated = false;          ///< `from` equals `until`, as the file says
  JsonValue fields;            ///< an object: members as decision_to_json writes them
  std::string explain;         ///< a part of the policy's sentence; empty: any
};

/// Names that a pattern may use, of the module and of the configuration.
struct PatternNames {
  std::vector<std::string> reasons;  ///< of the module; empty: any is taken
  std::uint32_t params_version = 1;  ///< of the hashes that the gate compares
};

/// @param node a pattern that the schema accepts: an object, or a type's name. Faults, such as a
/// reason that the module does not have, go to `definitions`.
[[nodiscard]] DecisionPattern read_pattern(Definitions& definitions, const JsonNode& node,
                                           const PatternNames& names);

/// The keys in which a decision is not like the pattern ("at_s", "reason", "to.match", ...): none
/// where it fits. @param decision as decision_to_json writes it
[[nodiscard]] std::vector<std::string> differences(const DecisionPattern& pattern, srp_ns said_at,
                                                   const JsonValue& decision);

}  // namespace specroute::sim
