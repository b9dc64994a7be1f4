/// @file
/// Rules between the fields of a scenario: names that lead somewhere, things that can happen.
///
/// They run on a tree that the schema may have rejected, so that all faults come at once. A rule
/// compares what is well formed and skips the rest; a rule about what is *absent* waits until
/// every name it depends on is there, lest one misspelt name should read as five faults.
#pragma once

#include <string>
#include <vector>

#include <specroute/vocab/result.hpp>

#include "sim/json/json_node.hpp"
#include "sim/scenario/reader.hpp"

namespace specroute::sim {

/// How a gate's configuration is written for the router library: one line, keys sorted.
inline constexpr JsonLayout kGateConfigLayout{.sorted_keys = true, .indentation = 0};

class Faults {
 public:
  void add(const std::string& place, std::string expected, std::string found,
           std::string nearest = {});
  Diagnostics take() { return std::move(list_); }

 private:
  Diagnostics list_;
};

/// What the rules need of one backend; members are empty where the file has no such text.
struct BackendNames {
  JsonNode node;
  std::string name;
  std::string group;          ///< the name in the file; `name` differs where it has a count
  std::uint32_t ordinal = 1;  ///< in its group
  std::string role;
  std::string pool;
  std::string model;
  bool standby;
};

/// The names of a scenario, gathered once.
struct ScenarioNames {
  std::vector<std::string> pools;
  std::vector<std::string> draft_pools;
  std::vector<std::pair<std::string, std::string>> draws;  ///< pool, draft pool that it names
  std::vector<BackendNames> backends;
  std::vector<std::string> profiles;
  std::vector<std::string> contents;  ///< of all classes, each once
  std::vector<std::string> gates;
  bool models_known;    ///< every backend has a role and a model of the catalogue
  bool contents_known;  ///< every class says what its content is
  bool complete;        ///< and every name that an absence rule depends on leads somewhere

  [[nodiscard]] const BackendNames* backend(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> backends_of_role(const std::string& role) const;
  /// Of the group or of the one backend of that name.
  [[nodiscard]] std::vector<const BackendNames*> members(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> groups_of_role(const std::string& role) const;
  [[nodiscard]] std::vector<std::string> pools_of_drafts() const;
  [[nodiscard]] bool draws_on(const std::string& pool, const std::string& drafts) const;
};

struct RuleInput {
  JsonNode root;  ///< with defaults
  ScenarioNames names;
  const ReadOptions& options;
};

/// Reports the time under `key` unless it lies before a well-formed horizon.
void require_before_horizon(const RuleInput& input, const JsonNode& node, const char* key,
                            Faults& faults);

/// Runs every rule. Files of the diagnostics are left empty.
Diagnostics cross_rule_faults(const JsonValue& resolved, const ReadOptions& options);

// The rules by part of the scenario.
void fleet_rules(const RuleInput& input, Faults& faults);
void pairing_rules(const RuleInput& input, Faults& faults);
/// Counts, shared drafts, co-location, nodes and draft pools.
void hosting_rules(const RuleInput& input, Faults& faults);
void engine_rules(const RuleInput& input, Faults& faults);
void dispatch_rules(const RuleInput& input, Faults& faults);
void workload_rules(const RuleInput& input, Faults& faults);
/// Of one class: its arrivals and its tenants.
void arrival_rules(const RuleInput& input, const JsonNode& request_class, Faults& faults);
void acceptance_rules(const RuleInput& input, Faults& faults);
/// Of one acceptance pair: its figures, and what shapes its acceptance besides.
void figure_rules(const JsonNode& pair, Faults& faults);
/// Of a verification rule: its synthetic acceptance. @param draft_tokens of its pool
void synthetic_rules(const JsonNode& rule, std::optional<double> draft_tokens, Faults& faults);
/// Of the faults alone: whom they befall, when, and that they can.
void fault_rules(const RuleInput& input, Faults& faults);
void timeline_rules(const RuleInput& input, Faults& faults);
void condition_rules(const RuleInput& input, Faults& faults);
void gate_rules(const RuleInput& input, Faults& faults);
void expect_rules(const RuleInput& input, Faults& faults);

/// Reports each "name" that an earlier node has.
void require_unique_names(const std::vector<JsonNode>& nodes, Faults& faults);

/// Reports the text under `key` unless `known` has it; `what` says what it names.
void require_known_name(const JsonNode& node, const char* key,
                        const std::vector<std::string>& known, const std::string& what,
                        Faults& faults);

}  // namespace specroute::sim
