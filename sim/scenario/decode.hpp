/// @file
/// From a resolved tree that schema and rules accept to the typed scenario. Nothing here can fail
/// on input: what is missing is a bug.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <specroute/vocab/check.hpp>

#include "sim/json/json_node.hpp"
#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// The whole scenario but for its name and its resolved text.
Scenario decode_scenario(const JsonNode& root);

// The parts, each into its members of `scenario`. Names resolve against what is there already, so
// the fleet comes first.
void decode_fleet(const JsonNode& root, Scenario& scenario);
Backend decode_backend(const JsonNode& node, const std::vector<Pool>& pools);
/// Draft pools, all backends, pairings, power.
void decode_hosting(const JsonNode& fleet, Scenario& scenario);
void decode_workload(const JsonNode& root, Scenario& scenario);
/// Traces are described, not read.
Arrivals decode_arrivals(const JsonNode& node);
void decode_acceptance(const JsonNode& root, Scenario& scenario);
void decode_dispatch(const JsonNode& router, Scenario& scenario);
void decode_plans(const JsonNode& root, Scenario& scenario);
void decode_faults(const JsonNode& root, Scenario& scenario);
/// Probes, retries and breaker, into the router's settings.
void decode_resilience(const JsonNode& router, RouterSettings& settings);
void decode_conditions(const JsonNode& root, Scenario& scenario);

/// The parameters of a verification rule. @param draft_tokens of the pool
RuleParameters decode_rule_parameters(const JsonNode& node, std::uint32_t draft_tokens);

/// How many backends an entry of the file stands for; 1 where its count is malformed.
[[nodiscard]] std::uint32_t replica_count(const JsonNode& backend);
/// NAME, or NAME-ordinal where there are several.
[[nodiscard]] std::string replica_name(const std::string& name, std::uint32_t ordinal,
                                       std::uint32_t count);

// A value that must be there.
std::string text_at(const JsonNode& node, const char* key);
double number_at(const JsonNode& node, const char* key);
bool truth_at(const JsonNode& node, const char* key);
std::int64_t integer_at(const JsonNode& node, const char* key);
std::uint32_t count_at(const JsonNode& node, const char* key);
Rule rule_at(const JsonNode& node, const char* key);
Dispatch dispatch_at(const JsonNode& node, const char* key);
Seconds seconds_at(const JsonNode& node, const char* key);       ///< of a key that ends in _s
Seconds milliseconds_at(const JsonNode& node, const char* key);  ///< of a key that ends in _ms
/// None where the key is absent or null.
std::optional<Seconds> optional_seconds_at(const JsonNode& node, const char* key);
std::optional<Seconds> optional_milliseconds_at(const JsonNode& node, const char* key);

/// The numbers of an array; none where it is absent.
std::vector<double> numbers_at(const JsonNode& node, const char* key);

/// Id of the element of `table` whose `name` is the text under `key`.
template <class Identity, class Table>
Identity id_at(const JsonNode& node, const char* key, const Table& table) {
  const std::string name = text_at(node, key);
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].name == name) return {static_cast<std::uint32_t>(i)};
  check(false, "the rules have seen that every name leads somewhere");
  return {};
}

}  // namespace specroute::sim
