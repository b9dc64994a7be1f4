#include "sim/replay/script.hpp"

#include <algorithm>
#include <limits>

#include "sim/replay/script_writer.hpp"

namespace specroute::sim {
namespace {

/// The first date of all. What follows on a first pairing leaves it a moment to serve in.
UnixTime beginning_of(const Mapping& mapping, const std::vector<EngineWindow>& windows) {
  UnixTime first = std::numeric_limits<UnixTime>::max();
  for (const EngineWindow& window : windows) first = std::min(first, window.from);
  for (const MappedPairing& pairing : mapping.pairings)
    if (pairing.from) first = std::min(first, *pairing.from);
  for (const Succession& one : mapping.successions)
    first = std::min(first, std::max<UnixTime>(one.at, 1) - 1);
  return first;
}

std::string count_text(std::uint64_t count, const char* what) {
  return std::to_string(count) + ' ' + what;
}

/// Why there is nothing to replay.
Diagnostic nothing_left(const Script& script) {
  const WindowCounts& w = script.windows;
  return {
      .file = {},
      .place = {},
      .expected = "two scrapes, or a log line, of an engine that a pairing of the mapping claims",
      .found = count_text(script.scrapes.scrapes, "scrapes and ") +
               count_text(w.windows, "windows: ") + count_text(w.unclaimed, "unclaimed, ") +
               count_text(w.outside, "outside of service, ") +
               count_text(w.straddling, "straddling a change, ") +
               count_text(w.implausible, "implausible, ") +
               count_text(w.no_draft_tokens, "ratios without draft_tokens"),
      .nearest = {}};
}

}  // namespace

Result<Script> write_script(const Mapping& mapping, const Telemetry& telemetry) {
  ScrapeCounts scrapes;
  auto windows = engine_windows(telemetry, scrapes);
  if (windows.empty()) {
    Script none;
    none.scrapes = scrapes;
    return nothing_left(none);
  }
  auto services = services_of(mapping, beginning_of(mapping, windows));
  if (!services) return services.diagnostics();
  ScriptWriter writer(mapping, telemetry, std::move(services).value());
  writer.script().scrapes = scrapes;
  if (!writer.take_windows(std::move(windows))) return writer.fault();
  Script script = writer.finish();
  if (script.windows.sent == 0) return nothing_left(script);
  return script;
}

}  // namespace specroute::sim
