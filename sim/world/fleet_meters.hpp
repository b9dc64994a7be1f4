/// @file
/// How busy the fleet was: utilisation, arithmetic done, KV cache in use; by backend and in all.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <specroute/vocab/units.hpp>

#include "models/devices/step_time.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/world/run_result.hpp"

namespace specroute::sim {

/// What the engines of one backend add up to.
struct BackendMeter {
  const Backend* backend;
  Seconds busy{0.0};              ///< of all its engines
  models::WorkDone work = {};     ///< likewise
  double kv_blocks = 0.0;         ///< of all its engines; 0: a draft, whose cache is not counted
  double kv_block_seconds = 0.0;  ///< allocated, integrated over time
  double kv_fullest = 0.0;        ///< greatest share that any engine had allocated
  std::uint64_t loops_ended = 0;  ///< completions that its detector ended
};

/// Appends, for each backend:
///   utilisation.NAME           busy time / (span x engines)
///   kv_peak.NAME, kv_mean.NAME of a target: fullest engine; mean share over engines and time
///   loops_ended.NAME           of a target with a detector
///   tflop_per_s.NAME           useful arithmetic (weights, head, attention) / span
///   flop_utilisation.NAME      the same / dense peak of its devices in its precision
/// @param span of the run, > 0
void report_backends(Metrics& metrics, const std::vector<BackendMeter>& meters, Seconds span);

/// Appends the same over all targets and all drafts, standbys included; null without any:
///   utilisation_targets, utilisation_drafts, kv_occupancy_mean, kv_occupancy_max, tflop_per_s.
void report_fleet(Metrics& metrics, const std::vector<BackendMeter>& meters, Seconds span);

}  // namespace specroute::sim
