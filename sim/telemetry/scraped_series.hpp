/// @file
/// A metric with its labels as one number of one engine.
#pragma once

#include <string_view>

#include "sim/telemetry/intake.hpp"

namespace specroute::sim {

/// A number with its names, as a scrape or a query tells it.
struct SeriesValue {
  std::string_view name;
  Labels labels;
  std::string_view value;
  std::optional<UnixTime> at;
  Origin origin;
};

/// Sorts the number in: under its engine, or as what it is instead. Labels that tell parts of one
/// engine (ranks, positions, finish reasons) become the series.
void take_value(const SeriesValue& value, Intake& intake);

}  // namespace specroute::sim
