/// @file
/// A replay as documents: decisions.jsonl and summary.json.
#pragma once

#include <string>

#include "sim/replay/replay.hpp"

namespace specroute::sim {

/// One line per decision of every gate, by date: label of the gate, date, names, where the
/// telemetry stands that it answers, and the members of the decision
/// (sim/records/decision_json.hpp).
[[nodiscard]] std::string replay_decisions_jsonl(const Replay& replay);

/// Decisions by gate, first decisions after each handover, where gates differ, and how the files
/// were read. Schema "specroute-replay/1".
[[nodiscard]] std::string replay_summary_json(const Replay& replay);

}  // namespace specroute::sim
