/// @file
/// Configurations of a policy module, checked without an instance: against the schema that the
/// module exports, and by the module itself.
#pragma once

#include <string>
#include <vector>

#include <specroute/policy_abi.h>
#include <specroute/vocab/result.hpp>

#include "sim/json/json_value.hpp"

namespace specroute::sim {

/// The configuration schema of `module` as a tree; null where it exports none that is JSON.
[[nodiscard]] JsonValue module_schema(const srp_module& module);

/// Every fault of a configuration: those that the module's schema shows, or, where it shows none,
/// those that the module finds. Places are pointers into `config`; files are left empty.
[[nodiscard]] Diagnostics config_faults(const srp_module& module, const JsonValue& config);

/// The same for a text, which `file` names: syntax and duplicate keys too, places with line and
/// column. A scenario or a test file in place of a configuration gets a word on who reads it.
[[nodiscard]] Diagnostics config_text_faults(const srp_module& module, const std::string& text,
                                             const std::string& file);

struct GateLine {
  std::string name;
  std::string sentence;  ///< what it does; empty where the schema does not say
};

/// The gates that a module offers, in its order: "enum" and "enumDescriptions" of the key "gate".
[[nodiscard]] std::vector<GateLine> gate_lines(const srp_module& module);

/// Every name that `module` has for a reason, in the order of their numbers.
[[nodiscard]] std::vector<std::string> reason_names(const srp_module& module);

}  // namespace specroute::sim
