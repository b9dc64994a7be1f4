/// @file
/// What gates are told, in order: the events of the policy ABI that telemetry and mapping amount
/// to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <specroute/vocab/result.hpp>

#include "sim/records/event_json.hpp"
#include "sim/replay/engine_windows.hpp"
#include "sim/replay/mapping.hpp"
#include "sim/replay/ratio.hpp"
#include "sim/telemetry/telemetry.hpp"

namespace specroute::sim {

struct ScriptEvent {
  EventRecord record;
  std::optional<Origin> origin;  ///< of a window; nothing where the mapping says it
};

/// A fail-over or a re-bind, as results name it.
struct Handover {
  UnixTime at = 0;
  std::uint64_t pairing = 0;  ///< the new one
  std::string from;
  std::string to;
  bool failover = true;
};

/// A counter of an engine fell.
struct Epoch {
  UnixTime at = 0;
  std::uint64_t pairing = 0;
  std::uint32_t source = 0;
};

/// What became of the engines' windows: each is in one of the six counts after the first.
struct WindowCounts {
  std::uint64_t windows = 0;
  std::uint64_t claimed = 0;      ///< in an event
  std::uint64_t unclaimed = 0;    ///< of an engine that no pairing claims
  std::uint64_t outside = 0;      ///< when no pairing of its engine served
  std::uint64_t straddling = 0;   ///< begun before its pairing was bound, or over a change of it
  std::uint64_t implausible = 0;  ///< a ratio beyond the drafted tokens, or counts beyond 2^40
  std::uint64_t no_draft_tokens = 0;  ///< a ratio, and nobody says over how many draft tokens
  std::uint64_t sent = 0;             ///< events, which engines of one pairing share
  // Of the events.
  std::uint64_t from_ratio = 0;
  std::uint64_t stale = 0;  ///< a longer period than the mapping's max_gap_s
};

struct Script {
  std::vector<ScriptEvent> events;  ///< by date
  std::map<std::uint64_t, std::string> pairing_names;
  std::map<std::uint64_t, std::string> profile_names;
  std::vector<Handover> handovers;  ///< by date
  ScrapeCounts scrapes;
  WindowCounts windows;
  std::vector<Epoch> epochs;
  std::map<Denominator, std::uint64_t> denominators;  ///< of windows from ratios
  std::map<std::uint32_t, std::uint64_t> unclaimed;   ///< windows of each engine nobody claims
  std::uint64_t dropped_ticks_and_outcomes = 0;       ///< of own event files: another policy's
};

/// Turns telemetry into events. At one date windows come first, then what the mapping says: a
/// fail-over before its unbind before its bind. Windows of one pairing and period are added. Fails
/// where orders of the mapping cannot be, where two pairings claim one engine at one time, and
/// where no window is left to be sent.
[[nodiscard]] Result<Script> write_script(const Mapping& mapping, const Telemetry& telemetry);

}  // namespace specroute::sim
