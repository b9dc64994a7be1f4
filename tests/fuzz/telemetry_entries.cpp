#include "tests/fuzz/telemetry_entries.hpp"

#include <string>

#include <specroute/vocab/check.hpp>

#include "sim/replay/engine_windows.hpp"
#include "sim/replay/mapping.hpp"
#include "sim/telemetry/read_telemetry.hpp"

namespace specroute::fuzz {
namespace {

sim::TelemetryFile file_of(sim::TelemetryFormat format, std::string_view bytes) {
  sim::TelemetryFile file{"f", std::string(bytes), format, {}};
  file.settings.at = sim::kNanosecondsPerSecond;
  file.settings.starts_at = sim::kNanosecondsPerSecond;
  file.settings.year = 2026;
  return file;
}

void check_report(const sim::FileReport& report) {
  check(report.lines == report.used + report.other + report.repeated + report.bad,
        "every line is in one count");
  check(report.first_bad.size() == std::min<std::uint64_t>(report.bad, sim::kShownBadLines),
        "the first bad lines are shown");
  for (const sim::BadLine& bad : report.first_bad)
    check(!bad.expected.empty() && !bad.found.empty(), "a bad line says why");
}

void check_windows(const sim::Telemetry& told) {
  sim::ScrapeCounts counts;
  for (const sim::EngineWindow& window : sim::engine_windows(told, counts)) {
    check(window.from <= window.to, "a window does not end before it begins");
    check(window.accepted <= window.drafted, "no more is accepted than was drafted");
    check(window.source < told.sources.size(), "a window has an engine");
  }
}

}  // namespace

void telemetry(sim::TelemetryFormat format, std::string_view bytes) {
  const sim::TelemetryFile file = file_of(format, bytes);
  sim::Telemetry told;
  const auto faults = sim::read_telemetry(file, told);
  for (const Diagnostic& fault : faults) check(!fault.found.empty(), "a refusal says why");
  if (told.files.empty()) return;
  check_report(told.files.front());
  check_windows(told);
  sim::Telemetry again;
  check(sim::read_telemetry(file, again).size() == faults.size() &&
            again.scraped.size() == told.scraped.size() &&
            again.logged.size() == told.logged.size() && again.sources == told.sources,
        "reading is a function of the bytes");
}

void replay_mapping(std::string_view bytes) {
  const auto mapping = sim::parse_mapping(std::string(bytes), "m.json");
  if (mapping) return check(!mapping.value().pairings.empty(), "a mapping has pairings");
  for (const Diagnostic& fault : mapping.diagnostics())
    check(fault.file == "m.json" && !fault.found.empty(), "a fault names the file and the offence");
}

}  // namespace specroute::fuzz
