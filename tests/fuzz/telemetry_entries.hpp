/// @file
/// What the readers of telemetry promise of any bytes. A broken promise aborts.
#pragma once

#include <string_view>

#include "sim/telemetry/telemetry.hpp"

namespace specroute::fuzz {

/// The bytes as a file of that format: every line is in one count, counts are plausible, windows do
/// not end before they begin, and a second reading is the first one.
void telemetry(sim::TelemetryFormat format, std::string_view bytes);

/// The bytes as a mapping: it is read, or refused with words for each fault.
void replay_mapping(std::string_view bytes);

}  // namespace specroute::fuzz
