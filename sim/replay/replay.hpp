/// @file
/// A replay as a whole: what was read, what was told, what was answered.
#pragma once

#include <string>
#include <vector>

#include <specroute/vocab/result.hpp>

#include "sim/replay/mapping.hpp"
#include "sim/replay/own_events.hpp"
#include "sim/replay/play.hpp"
#include "sim/replay/script.hpp"
#include "sim/replay/verdicts.hpp"
#include "sim/telemetry/telemetry.hpp"

namespace specroute::sim {

struct ReplayInput {
  std::string title;
  std::vector<EventFile> files;           ///< with names that no two share
  std::optional<TelemetryFormat> format;  ///< of all of them; nothing: found out
  const Mapping* mapping = nullptr;       ///< may be null for our own events
  std::vector<ReplayGate> gates;
};

struct Replay {
  std::string title;
  Telemetry telemetry;
  Script script;
  std::vector<ReplayGate> gates;
  Play play;
  std::vector<Difference> differences;
  std::vector<GateTally> summaries;  ///< point into `play`: a Replay is moved, never copied

  Replay() = default;
  Replay(Replay&&) = default;
  Replay& operator=(Replay&&) = default;

  [[nodiscard]] std::uint64_t bad_lines() const;
};

/// Reads the files and plays them to the gates. Faults: a file of no known format, telemetry
/// without a mapping, our own events among other files, and all that write_script, read_event_files
/// and play_script refuse.
[[nodiscard]] Result<Replay> replay(ReplayInput input);

}  // namespace specroute::sim
