/// @file
/// The simulator as a library: one function from a scenario file to what each gate came to.
///
/// Every replication runs in a process of its own, forked from the caller's, which itself never
/// starts a simulation: `simulate` may be called any number of times, and equal arguments give
/// equal results. Call it from a process with one thread (a fork copies locks, not threads).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <specroute/vocab/result.hpp>
#include <specroute/vocab/units.hpp>

namespace specroute::simulator {

/// What to run of a scenario, and how.
struct Options {
  std::vector<std::string> gates;          ///< labels; empty: all of the scenario's
  std::vector<std::uint64_t> seeds = {1};  ///< at least one
  unsigned jobs = 1;                       ///< replications at a time, at least 1
  bool lockstep = false;  ///< the slow oracle: one round of the engine per date, equal results
  Seconds timeout{std::numeric_limits<double>::infinity()};  ///< wall time of one replication, > 0
};

/// One metric of one gate. Absent means that it does not apply, never 0.
struct Metric {
  std::string name;
  std::vector<std::optional<double>> per_seed;
  std::optional<double> mean;        ///< over the seeds to which it applies
  std::optional<double> half_width;  ///< of Student's 95 % interval; absent below two seeds
};

/// What one gate came to.
struct GateResult {
  std::string label;
  std::vector<Metric> metrics;
  std::vector<std::uint64_t> digests;  ///< per seed, of every completion and decision in order
};

/// What a scenario came to, under all its gates.
struct Summary {
  std::string scenario_sha256;  ///< of the resolved scenario
  std::vector<std::uint64_t> seeds;
  std::vector<GateResult> gates;
  std::size_t failed_expectations = 0;
  std::string json;  ///< the document that `specroute run` writes as summary.json
};

/// Simulates the scenario at `scenario_path` under its gates. Fails with every diagnostic that the
/// scenario or the options deserve; a replication that got stuck or crashed is a diagnostic too,
/// and a missed expectation is not: it is counted. Replications are processes, forked from the
/// caller, which should not have threads of its own. Equal arguments give equal bytes.
/// @param scenario_path of a JSON file; traces are relative to its folder.
/// @param options an unknown label, no seed, 0 jobs or a timeout of 0 is a diagnostic.
[[nodiscard]] Result<Summary> simulate(const std::string& scenario_path, const Options& options);

}  // namespace specroute::simulator
