#include "sim/replay/replay.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/telemetry/read_telemetry.hpp"

namespace specroute::sim {
namespace {

std::optional<TelemetryFormat> format_of(const ReplayInput& input, const EventFile& file) {
  if (input.format) return input.format;
  if (input.mapping != nullptr)
    if (const auto told = input.mapping->file(file.name).format) return told;
  return telling_format(file.text);
}

Diagnostic refusal(const EventFile& file, std::string expected, std::string found) {
  return {.file = file.name,
          .place = {},
          .expected = std::move(expected),
          .found = std::move(found),
          .nearest = {}};
}

/// Where a file looks like another format than was said of it, that; nothing where it looks like
/// none, as the log of an idle engine does. What begins as an answer to query_range may be a
/// broken one, of which its reader knows more.
std::optional<TelemetryFormat> other_look(const EventFile& file, TelemetryFormat said) {
  const auto looks = telling_format(file.text);
  const bool is_json = looks == TelemetryFormat::events && said == TelemetryFormat::query_range;
  return looks == said || is_json ? std::nullopt : looks;
}

/// The mapping is not to blame for it.
Diagnostic mistold(const EventFile& file, TelemetryFormat said, TelemetryFormat looks) {
  return refusal(file, std::string("lines of the format ") + format_name(said) + ", as was said",
                 std::string("none; it looks like ") + format_name(looks));
}

Diagnostics mistold_events(const ReplayInput& input) {
  Diagnostics faults;
  for (const EventFile& file : input.files)
    if (const auto looks = other_look(file, TelemetryFormat::events))
      faults.push_back(mistold(file, TelemetryFormat::events, *looks));
  return faults;
}

/// Every file as telemetry.
Result<Script> script_of_telemetry(const ReplayInput& input, Telemetry& telemetry) {
  Diagnostics faults;
  for (const EventFile& file : input.files) {
    MappedFile told = input.mapping->file(file.name);
    const auto format = input.format ? input.format : told.format;
    auto wrong =
        read_telemetry({file.name, file.text, format, std::move(told.settings)}, telemetry);
    if (format && telemetry.files.back().used + telemetry.files.back().repeated == 0)
      if (const auto looks = other_look(file, *format)) wrong = {mistold(file, *format, *looks)};
    faults.insert(faults.end(), wrong.begin(), wrong.end());
  }
  if (!faults.empty()) return faults;
  return write_script(*input.mapping, telemetry);
}

Result<Script> script_of(const ReplayInput& input, Telemetry& telemetry) {
  const auto is_events = [&](const EventFile& file) {
    return format_of(input, file) == TelemetryFormat::events;
  };
  if (std::ranges::all_of(input.files, is_events)) {
    if (auto faults = mistold_events(input); !faults.empty()) return faults;
    return read_event_files(input.files, telemetry);
  }
  const auto own = std::ranges::find_if(input.files, is_events);
  if (own != input.files.end())
    return refusal(*own, "telemetry, as the other files", "events of our own, which come alone");
  if (input.mapping == nullptr)
    return refusal(input.files.front(), "--map MAPPING.json, which says whose telemetry this is",
                   "none");
  return script_of_telemetry(input, telemetry);
}

}  // namespace

std::uint64_t Replay::bad_lines() const {
  std::uint64_t bad = 0;
  for (const FileReport& file : telemetry.files) bad += file.bad;
  return bad;
}

Result<Replay> replay(ReplayInput input) {
  Replay done;
  auto script = script_of(input, done.telemetry);
  if (!script) return script.diagnostics();
  done.script = std::move(script).value();
  done.title = std::move(input.title);
  done.gates = std::move(input.gates);
  auto play = play_script(done.script, done.gates);
  if (!play) return play.diagnostics();
  done.play = std::move(play).value();
  done.differences = differences(done.script, done.play, done.gates.size());
  done.summaries = gate_tallies(done.script, done.play, done.gates.size());
  return done;
}

}  // namespace specroute::sim
