/// @file
/// The trace files that a scenario names.
#pragma once

#include <string>

#include <specroute/vocab/result.hpp>

#include "sim/json/json_value.hpp"
#include "sim/scenario/reader.hpp"
#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// Reads them into the classes of `scenario`, and writes their hashes into the resolved tree, so
/// that the scenario's own hash covers the bytes of its traces. Does nothing without a store.
/// @param file of the scenario: paths are relative to its folder
Diagnostics read_traces(const std::string& file, const ReadOptions& options, JsonValue& root,
                        Scenario& scenario);

}  // namespace specroute::sim
