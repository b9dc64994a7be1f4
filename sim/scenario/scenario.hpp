/// @file
/// The scenario as the simulator uses it: names resolved to ids, units as types, defaults filled.
///
/// `read_scenario` (reader.hpp) makes it from a JSON file that the JSON Schema accepts; nothing
/// here has a default of its own, so that no value can hide from the resolved scenario.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/scenario/acceptance.hpp"
#include "sim/scenario/conditions.hpp"
#include "sim/scenario/fleet.hpp"
#include "sim/scenario/plans.hpp"
#include "sim/scenario/router_settings.hpp"
#include "sim/scenario/workload.hpp"

namespace specroute::sim {

/// A declared expectation on a metric of the summary.
struct Expectation {
  std::string gate;
  std::string metric;  ///< dotted path in the gate's summary
  bool every_seed;     ///< else the mean over seeds
  std::optional<double> min;
  std::optional<double> max;
  bool is_null;  ///< the metric must not apply
};

struct Scenario {
  std::string name;  ///< file stem
  std::string title;
  std::string question;
  std::string reading;  ///< of the result; empty where the file has none
  Seconds horizon;      ///< arrivals end here
  Seconds drain_limit;  ///< after that, requests still in flight end as `unfinished`
  std::vector<Pool> pools;
  std::vector<Backend> backends;
  std::vector<InitialPairing> pairings;
  Network network;
  PowerModel power = {};
  std::vector<SamplingProfile> profiles;
  std::vector<RequestClass> classes;
  std::uint32_t vocabulary_slice;
  std::vector<AcceptancePair> acceptance;
  Degradation degradation;
  RouterSettings router;
  std::vector<Gate> gates;
  std::vector<Fault> faults;
  std::vector<RandomFaults> random_faults;
  std::vector<Override> overrides;
  std::vector<EngineChange> engine_changes = {};
  std::vector<TelemetryFault> telemetry_faults = {};
  std::vector<Expectation> expect;
  std::string resolved_json;  ///< defaults written out, keys sorted; what the hash covers
};

}  // namespace specroute::sim
