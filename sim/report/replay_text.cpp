#include "sim/report/replay_text.hpp"

#include <algorithm>
#include <vector>

#include <specroute/router/decision_name.hpp>

#include "sim/json/json_value.hpp"
#include "sim/records/event_json.hpp"
#include "sim/records/status_name.hpp"
#include "sim/report/table.hpp"

namespace specroute::sim {
namespace {

using TextLines = std::vector<std::vector<std::string>>;

std::string called(const std::map<std::uint64_t, std::string>& names, std::uint64_t id) {
  const auto found = names.find(id);
  return found == names.end() ? "-" : found->second;
}

std::string head_line(const Replay& replay) {
  const Script& script = replay.script;
  UnixTime first = 0;
  UnixTime last = 0;
  for (const ScriptEvent& event : script.events) {
    if (event.record.head().type != SRP_EV_WINDOW) continue;
    const auto& window = reinterpret_cast<const srp_ev_window&>(event.record.head());
    first = first == 0 ? window.from : std::min(first, window.from);
    last = window.to;
  }
  return (replay.title.empty() ? "" : replay.title + '\n') + std::to_string(script.windows.sent) +
         " windows of " + std::to_string(script.pairing_names.size()) + " pairings, " +
         format_date(first) + " to " + format_date(last) + "\n\n";
}

std::string gate_table(const Replay& replay) {
  TextLines lines = {{"gate", "LOCK", "REBIND", "NO_DRAFT", "QUARANTINE", "HOLD", "refused"}};
  for (std::size_t g = 0; g < replay.gates.size(); ++g) {
    const GateTally& s = replay.summaries[g];
    lines.push_back({replay.gates[g].label, std::to_string(s.locks), std::to_string(s.rebinds),
                     std::to_string(s.no_drafts), std::to_string(s.quarantines),
                     std::to_string(s.holds), std::to_string(s.refused)});
  }
  return aligned(lines);
}

/// "h100-07.log: 12", or who said it where no line did.
std::string place_of(const Replay& replay, const GateError& one) {
  if (!one.index) return "the replay";
  const auto& origin = replay.script.events[*one.index].origin;
  if (!origin) return "the mapping";
  const FileReport& file = replay.telemetry.files[origin->file];
  return file.name + ": " + place_text(file, *origin);
}

/// The first events of each gate that it answered with an error.
std::string errors_text(const Replay& replay) {
  constexpr std::uint64_t kShown = 5;
  std::vector<std::uint64_t> seen(replay.gates.size());
  std::string text;
  for (const GateError& one : replay.play.errors)
    if (++seen[one.gate] <= kShown)
      text += replay.gates[one.gate].label + ": " + status_name(one.status) + " to the " +
              event_name(one.event.type) + " of " + format_date(one.event.now) + " (" +
              place_of(replay, one) + ")" +
              (one.status == SRP_E_FULL ? ", which was applied; an older entry went" : "") + '\n';
  for (std::size_t g = 0; g < seen.size(); ++g)
    if (seen[g] > kShown)
      text += replay.gates[g].label + ": " + std::to_string(seen[g] - kShown) +
              " more such events, in decisions.jsonl\n";
  return text.empty() ? text : '\n' + text;
}

std::string first_decision(const ReplayGate& gate, const GateDecision* first, UnixTime since) {
  if (first == nullptr) return "nothing";
  const srp_decision& decision = first->decision;
  const srp_str reason = gate.module->reason_code(decision.reason);
  const double seconds =
      static_cast<double>(decision.h.now - std::min(since, decision.h.now)) / 1e9;
  return std::string(router::decision_name(decision.h.type)) + " after " + fixed_text(seconds, 1) +
         " s: " + std::string(reason.ptr, reason.len);
}

std::string handovers_text(const Replay& replay) {
  std::string text;
  std::size_t width = 0;
  for (const ReplayGate& gate : replay.gates) width = std::max(width, gate.label.size());
  for (std::size_t i = 0; i < replay.script.handovers.size(); ++i) {
    const Handover& handover = replay.script.handovers[i];
    text += std::string("\n") + (handover.failover ? "fail-over " : "re-bind ") +
            format_date(handover.at) + ": " + handover.from + " -> " + handover.to + '\n';
    for (std::size_t g = 0; g < replay.gates.size(); ++g) {
      const ReplayGate& gate = replay.gates[g];
      text += "  " + gate.label + std::string(width - gate.label.size() + 2, ' ') +
              first_decision(gate, replay.summaries[g].first_after[i], handover.at) + '\n';
    }
  }
  return text;
}

std::string differences_text(const Replay& replay) {
  if (replay.gates.size() < 2) return {};
  if (replay.differences.empty()) return "\nthe gates never differ\n";
  std::vector<std::string> head = {"where they differ", "from", "to", "windows", "acceptance"};
  for (const ReplayGate& gate : replay.gates) head.push_back(gate.label);
  TextLines lines = {head};
  for (const Difference& one : replay.differences) {
    const auto rate =
        one.drafted == 0
            ? std::nullopt
            : std::optional(static_cast<double>(one.accepted) / static_cast<double>(one.drafted));
    std::vector<std::string> line = {called(replay.script.pairing_names, one.pairing) + ", " +
                                         called(replay.script.profile_names, one.profile),
                                     format_date(one.from), format_date(one.to),
                                     std::to_string(one.windows), fixed_text(rate, 3)};
    line.insert(line.end(), one.verdicts.begin(), one.verdicts.end());
    lines.push_back(std::move(line));
  }
  return '\n' + aligned(lines);
}

std::string file_table(const Replay& replay) {
  TextLines lines = {{"file", "format", "lines", "used", "other", "repeated", "bad"}};
  for (const FileReport& file : replay.telemetry.files)
    lines.push_back(
        {file.name, std::string(format_name(file.format)) + (file.told ? "" : " (found)"),
         std::to_string(file.lines), std::to_string(file.used), std::to_string(file.other),
         std::to_string(file.repeated), std::to_string(file.bad)});
  return aligned(lines);
}

std::string bad_text(const Replay& replay) {
  std::string text;
  for (const FileReport& file : replay.telemetry.files) {
    for (const BadLine& bad : file.first_bad)
      text += file.name + ": " + place_text(file, bad.origin) + ": expected " + bad.expected +
              ", found " + bad.found + '\n';
    if (file.bad > file.first_bad.size())
      text +=
          file.name + ": " + std::to_string(file.bad - file.first_bad.size()) + " more bad lines\n";
    for (const auto& [name, unknown] : file.unknown_names)
      text += file.name + ": unknown metric " + name + ", " + std::to_string(unknown.count) +
              " values" +
              (unknown.nearest.empty() ? "" : "; did you mean \"" + unknown.nearest + "\"?") + '\n';
  }
  for (const auto& [source, windows] : replay.script.unclaimed)
    text += "no pairing claims " + labels_text(replay.telemetry.sources[source]) + ": " +
            std::to_string(windows) + " windows left out\n";
  return text;
}

/// "N what" where there are any.
void count_line(std::string& text, std::uint64_t count, const char* what) {
  if (count != 0) text += std::to_string(count) + ' ' + what + '\n';
}

std::string counts_text(const Script& script) {
  std::string text;
  count_line(text, script.scrapes.repeated, "values repeated in one scrape or file");
  count_line(text, script.scrapes.conflicting, "values contradict one of the same series and date");
  count_line(text, script.scrapes.out_of_order, "scrapes or lines out of order, sorted in");
  count_line(text, script.scrapes.incomplete,
             "scrapes without draft and accepted tokens, or a ratio");
  count_line(text, script.scrapes.implausible, "windows with more accepted than drafted tokens");
  count_line(text, script.scrapes.no_volume, "ratios without a count of steps or tokens");
  const WindowCounts& w = script.windows;
  count_line(text, w.outside, "windows outside of service");
  count_line(text, w.straddling, "windows over a bind, an end or a change, left out");
  count_line(text, w.implausible, "windows with counts that cannot be");
  count_line(text, w.no_draft_tokens, "ratios without draft_tokens in the mapping");
  count_line(text, w.stale, "windows longer than max_gap_s, flagged stale");
  count_line(text, w.from_ratio, "windows derived from ratios");
  for (const auto& [denominator, windows] : script.denominators)
    text += "  " + std::to_string(windows) +
            " of them with acceptance rate = " + denominator_name(denominator) + '\n';
  count_line(text, script.dropped_ticks_and_outcomes,
             "ticks and outcomes of another policy left out");
  for (const Epoch& epoch : script.epochs)
    text += "new epoch " + format_date(epoch.at) + ": counters of " +
            called(script.pairing_names, epoch.pairing) + " began again\n";
  return text;
}

}  // namespace

std::string replay_reading(const Replay& replay) {
  const std::string reading = bad_text(replay) + counts_text(replay.script);
  return file_table(replay) + (reading.empty() ? "" : '\n' + reading);
}

std::string replay_report(const Replay& replay) {
  return head_line(replay) + gate_table(replay) + errors_text(replay) + handovers_text(replay) +
         differences_text(replay) + '\n' + replay_reading(replay);
}

}  // namespace specroute::sim
