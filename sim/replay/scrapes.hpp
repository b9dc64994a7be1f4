/// @file
/// Scraped values gathered by engine and date.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "sim/replay/engine_windows.hpp"
#include "sim/telemetry/telemetry.hpp"

namespace specroute::sim {

/// Which number of an engine: metric, position, series.
using SeriesKey = std::tuple<Metric, std::uint32_t, std::uint32_t>;

/// Everything that one engine said at one date.
struct Scrape {
  std::map<SeriesKey, double> values;
  Origin origin;  ///< of its first value

  [[nodiscard]] bool has(Metric metric) const;
  /// Sum of a counter's series, mean of a gauge's; 0 without any.
  [[nodiscard]] double value(Metric metric) const;
};

using Scrapes = std::map<std::uint32_t, std::map<UnixTime, Scrape>>;

[[nodiscard]] Scrapes gather_scrapes(const Telemetry& telemetry, ScrapeCounts& counts);

}  // namespace specroute::sim
