/// @file
/// Small worlds in which something is not as configured.
#pragma once

#include <optional>
#include <string>

#include "tests/sim/rules/counted_acceptance.hpp"

namespace specroute::sim {

inline constexpr BackendId kWorldTarget{0};
inline constexpr BackendId kWorldDraft{1};

/// One pairing under a rule.
inline Scenario world_under(Rule rule) {
  Scenario s = plain_scenario();
  s.acceptance = {{"llama-3.1-8b", "smollm-135m", "prose", 1.0, 3.5, 0.5, {}}};
  Speculation& speculation = s.pools[0].speculation;
  speculation.rule = rule;
  RuleParameters& parameters = speculation.rule_parameters;
  parameters.posterior_threshold = 0.09;
  parameters.posterior_alpha = 0.3;
  parameters.threshold_single = 1.0;
  parameters.threshold_acc = 0.3;
  parameters.synthetic_acceptance_rates = {0.7, 0.5};
  return s;
}

/// The same, of whose texts none loops, long enough for a rate to have a standard error of .005.
inline Scenario rule_world(Rule rule) {
  Scenario s = world_under(rule);
  s.horizon = Seconds{10.0};
  s.degradation.loop_hazard_at_zero_entropy = 0.0;
  return s;
}

/// A patch from the start on, that names nothing yet.
inline Override patch(BackendId backend) {
  Override result{};
  result.backend = backend;
  result.owner = "batch job";
  result.from = Seconds{0.0};
  result.owner_gone = Seconds{0.1};
  return result;
}

inline Override temperature_patch(BackendId backend, double temperature) {
  Override result = patch(backend);
  result.temperature = temperature;
  return result;
}

inline Scenario with(Scenario s, const Override& change) {
  s.overrides.push_back(change);
  return s;
}

/// Whether the gate `none`, which locks whatever it measures, rewarded a pairing that did harm.
inline bool harmed(const RunResult& result) {
  return metric(result, "lock.harmful_s") > 0.0;
}

inline constexpr BackendId kStandbyTarget{2};
inline constexpr BackendId kStandbyDraft{3};

/// The target crashes at 1 s of 4; a standby target takes over with the draft of its own rack.
inline Scenario failover_world(Rule rule) {
  Scenario s = rule_world(rule);
  s.horizon = Seconds{4.0};
  for (const BackendId spare : {kWorldTarget, kWorldDraft}) {
    Backend b = s.backends[spare.index()];
    b.name = "standby " + b.name;
    b.rack = "rack-2";
    b.standby = true;
    s.backends.push_back(b);
  }
  s.faults = {{Fault::Kind::crash, kWorldTarget, Seconds{1.0}, {}}};
  return s;
}

inline EngineChange change_of(BackendId backend) {
  return {.backend = backend, .cause = "upgrade", .from = Seconds{0.0}};
}

inline RunResult run_one(const Scenario& s) {
  return run_all({s}).front();
}

}  // namespace specroute::sim
