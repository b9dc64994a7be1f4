/// @file
/// Plays a script to gates: each hears the same events, and ticks at the dates that it asked for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <specroute/policy_abi.h>
#include <specroute/vocab/result.hpp>

#include "sim/replay/script.hpp"

namespace specroute::sim {

/// A policy that is to hear the script.
struct ReplayGate {
  std::string label;
  std::string config_json;
  const srp_module* module = nullptr;
};

/// One decision. Nobody carries it out: what happened has happened.
struct GateDecision {
  std::size_t gate = 0;  ///< index
  srp_decision decision{};
  std::optional<std::size_t> event;  ///< index in the script; nothing: a tick
};

/// An event that a gate answered with an error. Only one with SRP_E_FULL was applied.
struct GateError {
  std::size_t gate = 0;  ///< index
  srp_record event{};
  std::optional<std::size_t> index;  ///< of the event in the script; nothing: a tick
  std::int32_t status = 0;
};

struct Play {
  std::vector<GateDecision> decisions;  ///< by date, of one date by gate
  std::vector<GateError> errors;        ///< likewise
};

/// Ticks come before the event of their date, and none after the last event. A configuration that a
/// module refuses is a diagnostic that names the gate.
[[nodiscard]] Result<Play> play_script(const Script& script, const std::vector<ReplayGate>& gates);

}  // namespace specroute::sim
