/// @file
/// Reads files of telemetry, whatever wrote them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <specroute/vocab/result.hpp>

#include "sim/telemetry/intake.hpp"
#include "sim/telemetry/telemetry.hpp"

namespace specroute::sim {

/// What the text looks like, by its first line that belongs to one format alone; nothing where no
/// line does.
[[nodiscard]] std::optional<TelemetryFormat> telling_format(std::string_view text);

struct TelemetryFile {
  std::string name;  ///< without folders; it names the file in labels, mapping and results
  std::string text;
  std::optional<TelemetryFormat> format;  ///< nothing: found out
  FileSettings settings;
};

/// Adds what the file says. Bad lines are counted in its report; a diagnostic only where nothing
/// can be told of the file at all: no format, an answer that is no JSON, a file of our own events.
[[nodiscard]] Diagnostics read_telemetry(const TelemetryFile& file, Telemetry& into);

/// The format with this spelling ("llama_cpp_log"); nothing for another.
[[nodiscard]] std::optional<TelemetryFormat> format_named(std::string_view name);

}  // namespace specroute::sim
