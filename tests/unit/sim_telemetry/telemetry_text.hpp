/// @file
/// Reads a text as a file of telemetry.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "sim/telemetry/read_telemetry.hpp"

namespace specroute::sim {

/// What "f" says. A test that expects a fault of the whole file asks read_telemetry itself.
inline Telemetry read_as(TelemetryFormat format, const std::string& text,
                         const FileSettings& settings = {}) {
  Telemetry telemetry;
  const auto faults = read_telemetry({"f", text, format, settings}, telemetry);
  EXPECT_TRUE(faults.empty()) << (faults.empty() ? "" : to_string(faults.front()));
  const FileReport& file = telemetry.files.front();
  EXPECT_EQ(file.lines, file.used + file.other + file.repeated + file.bad);
  return telemetry;
}

/// The value of a metric at a date in seconds; -1 where there is none.
inline double value_at(const Telemetry& telemetry, Metric metric, std::uint64_t second,
                       std::uint32_t position = 0) {
  for (const ScrapedValue& one : telemetry.scraped)
    if (one.metric == metric && one.at == second * kNanosecondsPerSecond &&
        one.position == position)
      return one.value;
  return -1.0;
}

}  // namespace specroute::sim
