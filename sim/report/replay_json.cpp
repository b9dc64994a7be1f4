#include "sim/report/replay_json.hpp"

#include <nlohmann/json.hpp>

#include <specroute/router/decision_name.hpp>

#include "sim/json/json_value.hpp"
#include "sim/records/decision_json.hpp"
#include "sim/records/event_json.hpp"
#include "sim/records/integer_text.hpp"
#include "sim/records/status_name.hpp"
#include "sim/report/json_layout.hpp"

namespace specroute::sim {
namespace {

using ReplayJson = nlohmann::ordered_json;

const std::string& name_in(const std::map<std::uint64_t, std::string>& names, std::uint64_t id) {
  static const std::string unnamed = "-";
  const auto found = names.find(id);
  return found == names.end() ? unnamed : found->second;
}

JsonMember text_member(const char* key, const std::string& text) {
  return {key, text_json(text)};
}

/// Where the telemetry stands that makes an event; null where it does not say it: of ticks, and of
/// what the mapping says.
void add_origin(const Replay& replay, std::optional<std::size_t> event, JsonValue& line) {
  const auto origin = event ? replay.script.events[*event].origin : std::nullopt;
  if (!origin) {
    line.members.push_back({"file", JsonValue(JsonValue::Kind::null)});
    return;
  }
  const FileReport& file = replay.telemetry.files[origin->file];
  line.members.push_back(text_member("file", file.name));
  line.members.push_back(text_member("place", place_text(file, *origin)));
}

JsonValue line_of(const Replay& replay, std::size_t gate, const srp_record& head) {
  JsonValue line(JsonValue::Kind::object);
  line.members.push_back(text_member("label", replay.gates[gate].label));
  line.members.push_back(text_member("at", format_date(head.now)));
  line.members.push_back(
      text_member("pairing_name", name_in(replay.script.pairing_names, head.pairing)));
  return line;
}

std::string decision_line(const Replay& replay, const GateDecision& one) {
  JsonValue line = line_of(replay, one.gate, one.decision.h);
  line.members.push_back(
      text_member("profile_name", name_in(replay.script.profile_names, one.decision.profile)));
  add_origin(replay, one.event, line);
  for (JsonMember& member : decision_to_json(one.decision, *replay.gates[one.gate].module).members)
    line.members.push_back(std::move(member));
  return write_json(line, {.sorted_keys = false, .indentation = 0}) + '\n';
}

std::string error_line(const Replay& replay, const GateError& one) {
  JsonValue line = line_of(replay, one.gate, one.event);
  add_origin(replay, one.index, line);
  line.members.push_back(text_member("type", "error"));
  line.members.push_back(text_member("event", event_name(one.event.type)));
  line.members.push_back({"seq", unsigned_json(one.event.seq)});
  line.members.push_back(text_member("status", status_name(one.status)));
  line.members.push_back({"applied", truth_json(one.status == SRP_E_FULL)});
  return write_json(line, {.sorted_keys = false, .indentation = 0}) + '\n';
}

ReplayJson files_json(const Replay& replay) {
  ReplayJson files = ReplayJson::array();
  for (const FileReport& file : replay.telemetry.files) {
    ReplayJson json;
    json["name"] = file.name;
    json["format"] = format_name(file.format);
    json["format_told"] = file.told;
    json["lines"] = file.lines;
    json["used"] = file.used;
    json["other"] = file.other;
    json["repeated"] = file.repeated;
    json["bad"] = file.bad;
    json["first_bad"] = ReplayJson::array();
    for (const BadLine& bad : file.first_bad)
      json["first_bad"].push_back({{"place", place_text(file, bad.origin)},
                                   {"expected", bad.expected},
                                   {"found", bad.found}});
    json["unknown_names"] = ReplayJson::object();
    for (const auto& [name, unknown] : file.unknown_names)
      json["unknown_names"][name] = {{"count", unknown.count}, {"nearest", unknown.nearest}};
    files.push_back(std::move(json));
  }
  return files;
}

ReplayJson scrapes_json(const ScrapeCounts& s) {
  return {{"scrapes", s.scrapes},
          {"repeated_values", s.repeated},
          {"conflicting_values", s.conflicting},
          {"out_of_order", s.out_of_order},
          {"incomplete", s.incomplete},
          {"implausible", s.implausible},
          {"no_volume", s.no_volume}};
}

ReplayJson windows_json(const WindowCounts& w) {
  return {{"windows", w.windows},
          {"claimed", w.claimed},
          {"unclaimed", w.unclaimed},
          {"outside", w.outside},
          {"straddling", w.straddling},
          {"implausible", w.implausible},
          {"no_draft_tokens", w.no_draft_tokens},
          {"events", w.sent},
          {"from_ratio", w.from_ratio},
          {"stale", w.stale}};
}

ReplayJson reading_json(const Replay& replay) {
  const Script& script = replay.script;
  ReplayJson json;
  json["files"] = files_json(replay);
  json["scrapes"] = scrapes_json(script.scrapes);
  json["windows"] = windows_json(script.windows);
  json["denominators"] = ReplayJson::object();
  for (const auto& [denominator, windows] : script.denominators)
    json["denominators"][denominator_name(denominator)] = windows;
  json["epochs"] = ReplayJson::array();
  for (const Epoch& epoch : script.epochs)
    json["epochs"].push_back(
        {{"at", format_date(epoch.at)}, {"pairing", name_in(script.pairing_names, epoch.pairing)}});
  json["unclaimed"] = ReplayJson::array();
  for (const auto& [source, windows] : script.unclaimed)
    json["unclaimed"].push_back(
        {{"labels", replay.telemetry.sources[source]}, {"windows", windows}});
  json["ticks_and_outcomes_left_out"] = script.dropped_ticks_and_outcomes;
  return json;
}

ReplayJson gate_json(const Replay& replay, std::size_t gate) {
  const GateTally& summary = replay.summaries[gate];
  ReplayJson json;
  json["decisions"] = {{"HOLD", summary.holds},
                       {"LOCK", summary.locks},
                       {"REBIND", summary.rebinds},
                       {"NO_DRAFT", summary.no_drafts},
                       {"QUARANTINE", summary.quarantines}};
  json["refused_events"] = summary.refused;
  json["full_table_events"] = summary.full;
  json["first_after"] = ReplayJson::array();
  for (std::size_t i = 0; i < summary.first_after.size(); ++i) {
    const Handover& handover = replay.script.handovers[i];
    const GateDecision* first = summary.first_after[i];
    ReplayJson entry = {{"kind", handover.failover ? "failover" : "rebind"},
                        {"at", format_date(handover.at)},
                        {"from", handover.from},
                        {"to", handover.to}};
    entry["decision"] = nullptr;
    if (first != nullptr) {
      const srp_str reason = replay.gates[gate].module->reason_code(first->decision.reason);
      entry["decision"] = {{"at", format_date(first->decision.h.now)},
                           {"type", router::decision_name(first->decision.h.type)},
                           {"reason", std::string(reason.ptr, reason.len)}};
    }
    json["first_after"].push_back(std::move(entry));
  }
  return json;
}

ReplayJson differences_json(const Replay& replay) {
  ReplayJson list = ReplayJson::array();
  for (const Difference& one : replay.differences) {
    ReplayJson verdicts = ReplayJson::object();
    for (std::size_t g = 0; g < replay.gates.size(); ++g)
      verdicts[replay.gates[g].label] = one.verdicts[g];
    list.push_back({{"pairing", name_in(replay.script.pairing_names, one.pairing)},
                    {"profile", name_in(replay.script.profile_names, one.profile)},
                    {"from", format_date(one.from)},
                    {"to", format_date(one.to)},
                    {"windows", one.windows},
                    {"drafted", one.drafted},
                    {"accepted", one.accepted},
                    {"verdicts", std::move(verdicts)}});
  }
  return list;
}

}  // namespace

std::string replay_decisions_jsonl(const Replay& replay) {
  std::string text;
  auto error = replay.play.errors.begin();
  const auto errors_before = [&](srp_ns now, std::size_t gate) {
    for (; error != replay.play.errors.end() &&
           std::pair(error->event.now, error->gate) < std::pair(now, gate);
         ++error)
      text += error_line(replay, *error);
  };
  for (const GateDecision& one : replay.play.decisions) {
    errors_before(one.decision.h.now, one.gate);
    text += decision_line(replay, one);
  }
  errors_before(SRP_FOREVER, replay.gates.size());
  return text;
}

std::string replay_summary_json(const Replay& replay) {
  ReplayJson json;
  json["schema"] = "specroute-replay/1";
  json["title"] = replay.title;
  json["gates"] = ReplayJson::object();
  for (std::size_t g = 0; g < replay.gates.size(); ++g)
    json["gates"][replay.gates[g].label] = gate_json(replay, g);
  json["differences"] = differences_json(replay);
  json["reading"] = reading_json(replay);
  return laid_out(json.dump(-1, ' ', false, ReplayJson::error_handler_t::replace)) + '\n';
}

}  // namespace specroute::sim
