#include "sim/report/table.hpp"

#include <algorithm>
#include <optional>

#include "sim/experiment/validity.hpp"

namespace specroute::sim {
namespace {

/// How a metric is shown: scaled, with so many decimals, perhaps with its interval.
struct Column {
  const char* heading;
  const char* metric;
  double scale;
  int decimals;
  bool with_interval = false;
};

constexpr Column kDetection[] = {
    {"acceptance: before", "acceptance_before", 1.0, 3},
    {"after", "acceptance_after_failover", 1.0, 3},
    {"re-bound", "acceptance_after_rebind", 1.0, 3},
    {"spike ms", "spike_observed_ms", 1.0, 0},
    {"detect ms", "detection_ms", 1.0, 0},
    {"re-bind ms", "rebind_ms", 1.0, 0},
    {"p50 change %", "e2e_p50_change", 100.0, 1},
    {"bad lock s", "locked_on_bad_pairing_s", 1.0, 1},
};

constexpr Column kCost[] = {
    {"excess degraded", "excess_degraded_completions", 1.0, 0, true},
    {"loops %", "watched.loop_share", 100.0, 2},
    {"schema %", "watched.schema_share", 100.0, 2},
    {"benign rejected", "benign_rejections", 1.0, 1},
    {"TTFT p95 ms", "ttft_p95_ms", 1.0, 1},
    {"goodput /s", "goodput_rps", 1.0, 1},
    {"SLO met %", "slo_attainment", 100.0, 2},
    {"kWh/Mtok", "energy_kwh_per_million_tokens", 1.0, 3},
    {"USD/Mtok", "cost_usd_per_million_tokens", 1.0, 3},
};

/// Columns that a text takes on a terminal, as every character of ours takes one.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// Lines of at most 100 columns, broken at spaces, each ended by a line break.
std::string wrapped(std::string_view text) {
  constexpr std::size_t kColumns = 100;
  std::string lines;
  while (text.size() > kColumns) {
    std::size_t end = text.rfind(' ', kColumns);
    if (end == std::string_view::npos || end == 0) end = text.find(' ', kColumns);
    if (end == std::string_view::npos) break;
    lines.append(text.substr(0, end)) += '\n';
    text.remove_prefix(end + 1);
  }
  return lines.append(text) += '\n';
}

std::string cell(const GateSummary& gate, const Column& column) {
  const MetricSummary* metric = gate.find(column.metric);
  if (metric == nullptr || !metric->interval.mean) return "-";
  std::string text = fixed_text(*metric->interval.mean * column.scale, column.decimals);
  if (column.with_interval && metric->interval.half_width)
    text += " ± " + fixed_text(*metric->interval.half_width * column.scale, column.decimals);
  return text;
}

template <std::size_t Count>
std::string table(const std::vector<GateSummary>& gates, const Column (&columns)[Count]) {
  std::vector<std::vector<std::string>> lines = {{"gate"}};
  for (const Column& column : columns) lines.front().emplace_back(column.heading);
  for (const GateSummary& gate : gates) {
    std::vector<std::string> line = {gate.label};
    for (const Column& column : columns) line.push_back(cell(gate, column));
    lines.push_back(std::move(line));
  }
  return aligned(lines);
}

std::string bounds_text(const Expectation& expectation) {
  if (expectation.is_null) return "does not apply";
  std::string text;
  if (expectation.min) text += ">= " + fixed_text(expectation.min, 3);
  if (expectation.min && expectation.max) text += " and ";
  if (expectation.max) text += "<= " + fixed_text(expectation.max, 3);
  return text + (expectation.every_seed ? " for every seed" : " on average");
}

/// One value, or the range of several.
std::string found_text(const std::vector<std::optional<double>>& found) {
  std::optional<double> low;
  std::optional<double> high;
  std::size_t absent = 0;
  for (const auto& value : found) {
    if (!value) {
      ++absent;
      continue;
    }
    low = low ? std::min(*low, *value) : *value;
    high = high ? std::max(*high, *value) : *value;
  }
  if (!low) return "nothing that applies";
  std::string text = fixed_text(low, 3);
  if (*high > *low) text += " to " + fixed_text(high, 3);
  if (absent > 0) text += " and " + std::to_string(absent) + " seeds where it does not apply";
  return text;
}

std::string expectation_line(const ExpectationOutcome& outcome) {
  constexpr const char* kVerdicts[] = {"pass     ", "FAIL     ", "not run  "};
  const Expectation& expectation = outcome.expectation;
  std::string line = kVerdicts[static_cast<std::size_t>(outcome.verdict)] + expectation.gate +
                     ": " + expectation.metric + ' ' + bounds_text(expectation);
  if (outcome.verdict != Verdict::not_run) line += ": found " + found_text(outcome.found);
  return line + '\n';
}

/// The first cell to the left, the others to the right; no blanks at the end.
std::string aligned_row(const std::vector<std::string>& cells,
                        const std::vector<std::size_t>& widths) {
  std::string row;
  for (std::size_t c = 0; c < widths.size(); ++c) {
    const std::string padding(widths[c] - width_of(cells[c]), ' ');
    row += c == 0 ? cells[c] + padding : "  " + padding + cells[c];
  }
  row.erase(row.find_last_not_of(' ') + 1);
  return row;
}

}  // namespace

std::string aligned(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const auto& line : lines)
    for (std::size_t c = 0; c < line.size(); ++c)
      widths[c] = std::max(widths[c], width_of(line[c]));
  std::string text;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    text += aligned_row(lines[l], widths) + '\n';
    if (l > 0) continue;
    std::size_t total = 2 * (widths.size() - 1);
    for (const std::size_t width : widths) total += width;
    text += std::string(total, '-') + '\n';
  }
  return text;
}

std::string policy_times(const Campaign& campaign) {
  std::vector<std::vector<std::string>> lines = {{"policy", "events", "seconds", "us an event"}};
  for (const GateRuns& gate : campaign.gates) {
    const auto events = static_cast<double>(gate.policy_time.events);
    const double each = events > 0.0 ? gate.policy_time.wall_s * 1e6 / events : 0.0;
    lines.push_back({gate.label, std::to_string(gate.policy_time.events),
                     fixed_text(gate.policy_time.wall_s, 3), fixed_text(each, 2)});
  }
  return aligned(lines) +
         "Wall time of events alone: without create, explain, reasons and second instances.\n";
}

std::string terminal_report(const Report& report) {
  const std::size_t seeds = report.campaign.seeds.size();
  std::string text = wrapped(report.scenario.title) + wrapped(report.scenario.question);
  text += "mean of " + std::to_string(seeds) + (seeds == 1 ? " seed" : " seeds") +
          "; excess over the paired run without fault or override; - does not apply\n\n";
  text += table(report.gates, kDetection) + '\n' + table(report.gates, kCost);
  if (!report.expectations.empty()) text += "\nexpectations\n";
  for (const auto& outcome : report.expectations) text += expectation_line(outcome);
  const auto warnings = validity_warnings(report.scenario);
  if (!warnings.empty()) text += "\nbeyond what was validated\n";
  for (const std::string& warning : warnings) text += wrapped(warning);
  return text;
}

}  // namespace specroute::sim
