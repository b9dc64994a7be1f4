#include "sim/replay/own_events.hpp"

#include <algorithm>

#include "sim/json/diagnostics_text.hpp"
#include "sim/json/json_text.hpp"

namespace specroute::sim {
namespace {

/// The event of one line, or what is wrong with it.
Result<EventRecord> event_of(const std::string& line, const std::string& file) {
  auto parsed = parse_json(line, file);
  if (!parsed) return parsed.diagnostics();
  if (!parsed.value().duplicate_keys.empty()) return parsed.value().duplicate_keys;
  return event_from_json({.value = &parsed.value().root, .pointer = {}});
}

class EventFiles {
 public:
  explicit EventFiles(Telemetry& telemetry) : telemetry_(telemetry) {}

  void take(const EventFile& file) {
    FileReport report;
    report.name = file.name;
    report.format = TelemetryFormat::events;
    telemetry_.files.push_back(std::move(report));
    Intake intake(telemetry_, {});
    srp_ns last = 0;
    for_each_line(file.text, [&](std::string_view line, std::uint64_t number) {
      if (line.find_first_not_of(" \t") == std::string_view::npos) return intake.pass_over();
      auto event = event_of(std::string(line), file.name);
      if (!event) return refuse(event.diagnostics().front(), intake.origin(number), intake);
      const srp_record& head = event.value().head();
      if (head.now < last)
        return intake.bad(intake.origin(number), "a date not before that of the event above", line);
      last = head.now;
      intake.use();
      keep(std::move(event).value(), intake.origin(number));
    });
  }

  Result<Script> finish() {
    if (script_.windows.sent == 0)
      return Diagnostic{.file = telemetry_.files.front().name,
                        .place = {},
                        .expected = "events with at least one window",
                        .found = std::to_string(script_.events.size()) + " events without one",
                        .nearest = {}};
    std::ranges::stable_sort(script_.events, {},
                             [](const ScriptEvent& event) { return event.record.head().now; });
    std::uint64_t sequence = 0;
    for (ScriptEvent& event : script_.events) event.record.head().seq = ++sequence;
    return std::move(script_);
  }

 private:
  static void refuse(const Diagnostic& fault, const Origin& origin, Intake& intake) {
    const std::string where = fault.place.empty() ? "" : fault.place + ": ";
    intake.bad(origin, where + (fault.expected.empty() ? "an event" : fault.expected), fault.found);
  }

  void keep(EventRecord record, const Origin& origin) {
    const srp_record& head = record.head();
    if (head.type == SRP_EV_TICK || head.type == SRP_EV_OUTCOME) {
      ++script_.dropped_ticks_and_outcomes;
      return;
    }
    if (head.pairing != 0)
      script_.pairing_names.emplace(head.pairing, "pairing " + std::to_string(head.pairing));
    if (head.type == SRP_EV_WINDOW) count(reinterpret_cast<const srp_ev_window&>(head));
    if (head.type == SRP_EV_FAILOVER) {
      const auto& event = reinterpret_cast<const srp_ev_failover&>(head);
      script_.handovers.push_back({head.now, head.pairing,
                                   "pairing " + std::to_string(event.from_pairing),
                                   "pairing " + std::to_string(head.pairing), true});
    }
    script_.events.push_back({std::move(record), origin});
  }

  void count(const srp_ev_window& window) {
    ++script_.windows.windows;
    ++script_.windows.claimed;
    ++script_.windows.sent;
    script_.windows.from_ratio += (window.window_flags & SRP_WIN_FROM_RATIO) != 0 ? 1 : 0;
    script_.windows.stale += (window.window_flags & SRP_WIN_STALE) != 0 ? 1 : 0;
    script_.profile_names.emplace(window.profile.id,
                                  "profile " + std::to_string(window.profile.id));
    if ((window.window_flags & SRP_WIN_COUNTER_RESET) != 0)
      script_.epochs.push_back({window.h.now, window.h.pairing, 0});
  }

  Telemetry& telemetry_;
  Script script_;
};

}  // namespace

Result<Script> read_event_files(const std::vector<EventFile>& files, Telemetry& telemetry) {
  EventFiles reader(telemetry);
  for (const EventFile& file : files) reader.take(file);
  return reader.finish();
}

}  // namespace specroute::sim
