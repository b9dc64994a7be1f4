/// @file
/// What a test file defines by name (parameters, profiles, sides, pairings), written out as the
/// records of the policy ABI have it (sim/records).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <specroute/policy_abi.h>
#include <specroute/vocab/result.hpp>

#include "sim/json/json_node.hpp"

namespace specroute::sim {

/// A pairing as a file defines it: the id, and the member of the file that it is.
struct NamedPairing {
  std::uint64_t id = 0;
  JsonNode node;
};

/// Definitions of a file, and of one test in it, which come first where both have a name. Names
/// that are not defined are faults, each said once. The documents must outlive it.
class Definitions {
 public:
  /// @param file, test nodes that the schema accepts
  Definitions(const srp_module& module, JsonNode file, JsonNode test);

  /// The side that a definition of `pairing` names ("draft" or "target"), with what `change` says
  /// otherwise: another side's name, or an object. @param provenance where the side says none
  [[nodiscard]] JsonValue side_of(const NamedPairing& pairing, std::string_view which,
                                  const JsonNode& change, std::string_view provenance);
  /// The side that a text names. @param provenance where the side says none
  [[nodiscard]] JsonValue side(const JsonNode& name, std::string_view provenance);
  /// The profile that a text names, or the first one; id 1 where none is defined.
  [[nodiscard]] JsonValue profile(const JsonNode& name);
  /// The pairing that a text names; none, and a fault, where there is none of that name.
  [[nodiscard]] std::optional<NamedPairing> pairing(const JsonNode& name);
  /// The backend's id of the side that a text names; 0 where there is none.
  [[nodiscard]] std::uint64_t backend(const JsonNode& name);
  /// 16 hex digits of the parameters that a text names, version 1 or 2; a text of hex digits that
  /// names none is taken as it is.
  [[nodiscard]] std::string params_hash(const JsonNode& name, std::uint32_t version);
  /// The names of all pairings by their ids; of two names with one id a fault.
  [[nodiscard]] std::map<std::uint64_t, std::string> pairing_names();
  /// A number that the test, else the file, gives; in the spelling of the document.
  [[nodiscard]] JsonNode setting(std::string_view key) const;

  [[nodiscard]] const Diagnostics& faults() const { return faults_; }
  void fault(const JsonNode& at, std::string expected, std::string nearest = {});

 private:
  [[nodiscard]] std::vector<std::string> names(std::string_view kind) const;
  /// The definition of that kind that a text names; no node, and a fault, where there is none.
  JsonNode find(std::string_view kind, const JsonNode& name);
  /// The number of a name among those of its kind, from 1.
  [[nodiscard]] std::int64_t number_of(std::string_view kind, const std::string& name) const;
  JsonValue written_side(const JsonNode& definition, const JsonNode& change,
                         std::string_view provenance);
  /// Both hashes, as `change` or else `definition` says. @return whether either says anything
  bool set_parameters(JsonValue& side, const JsonNode& definition, const JsonNode& change);
  std::string hash_of_parameters(const JsonNode& parameters, std::uint32_t version);

  const srp_module& module_;
  JsonNode file_;
  JsonNode test_;
  Diagnostics faults_;
};

/// Sets a member of an object, or adds it.
void set_member(JsonValue& object, std::string_view key, JsonValue value);

}  // namespace specroute::sim
