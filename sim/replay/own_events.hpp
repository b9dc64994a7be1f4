/// @file
/// Recorded events of the policy ABI, one JSON object a line: what a router was told, told again.
#pragma once

#include <string>
#include <vector>

#include "sim/replay/script.hpp"

namespace specroute::sim {

struct EventFile {
  std::string name;
  std::string text;
};

/// Events of the files by date, of one date in the order of files and lines. Ticks and outcomes are
/// left out and counted: they answer another policy. A line that is no event, or that goes back in
/// time within its file, is bad. Fails where no file has an event that is left.
/// @param telemetry gets a report for each file
[[nodiscard]] Result<Script> read_event_files(const std::vector<EventFile>& files,
                                              Telemetry& telemetry);

}  // namespace specroute::sim
