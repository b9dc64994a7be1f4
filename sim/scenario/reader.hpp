/// @file
/// Reads a scenario file, or says everything that is wrong with it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <specroute/vocab/result.hpp>

#include "sim/scenario/scenario.hpp"
#include "sim/traces/trace_store.hpp"

namespace specroute::sim {

/// Names that a scenario may use and that other folders own.
struct Catalogue {
  std::vector<std::string> devices;
  std::vector<std::string> models;
  std::optional<std::vector<std::string>> metrics;  ///< of `expect`; none: not checked
};

/// Judges one policy configuration, given as JSON text. A diagnostic's place is a JSON pointer into
/// the configuration, or empty; the reader adds the file and the place of the gate.
using GateValidator =
    std::function<Diagnostics(const std::string& label, const std::string& config_json)>;

struct ReadOptions {
  Catalogue catalogue;
  GateValidator validate_gate;   ///< empty: gates are not looked into
  TraceStore* traces = nullptr;  ///< reads the trace files; null: they are not looked into
  std::string trace_file = {};   ///< in place of every trace that the scenario names; empty: none
};

/// Reads, validates and resolves the scenario at `path`. Fails with all faults at once, sorted by
/// place: duplicate keys, schema faults, and crossing rules wherever the parts that they compare
/// are well formed. A file that cannot be read, is no JSON or nests deeper than 64 levels fails
/// with that alone. Diagnostics name the file as `path` does. Trace files are read last, from
/// beside the scenario; their diagnostics name them and the line.
Result<Scenario> read_scenario(const std::string& path, const ReadOptions& options);

/// The same for a text that is already in memory; `file` names it in diagnostics, and the stem of
/// `file` names the scenario.
Result<Scenario> parse_scenario(const std::string& text, const std::string& file,
                                const ReadOptions& options);

}  // namespace specroute::sim
