/// @file
/// One sample line of Prometheus' text exposition, or of OpenMetrics.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/telemetry/telemetry.hpp"

namespace specroute::sim {

struct ExpositionLine {
  std::string name;
  Labels labels;
  std::string_view value;
  std::optional<UnixTime> at;
  std::string fault;  ///< what was expected; empty: none
};

/// `name{label="value",...} value [timestamp]`, with an exemplar after it ignored. In label values
/// "\\", "\"" and "\n" are escapes. A timestamp is in milliseconds, or in seconds where it has a
/// point or is below 10^11.
[[nodiscard]] ExpositionLine parse_exposition_line(std::string_view line);

/// What keeps `text` from being this metric's value; empty where nothing does. Counters are whole
/// numbers from 0 below 2^53, in any spelling of a float; gauges are finite and not negative.
[[nodiscard]] std::string value_fault(Metric metric, std::string_view text, double& value);

}  // namespace specroute::sim
