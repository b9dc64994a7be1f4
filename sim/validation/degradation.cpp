#include "sim/validation/degradation.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "models/degradation/sensitivity.hpp"
#include "sim/validation/loop_anchors.hpp"

namespace specroute::sim::validation {
namespace {

using models::DegradationSetting;

/// The incident with its calibrated pair, rounded to what docs/model.md prints.
DegradationSetting incident(double stale_temperature) {
  DegradationSetting setting{.pair = models::PairModel({.sharpness = 4.43, .noise = 0.118})};
  setting.stale.temperature = stale_temperature;
  return setting;
}

/// What the levels were calibrated on.
void add_calibrated(Section& section) {
  const models::DegradationOutlook found = models::outlook(incident(0.0));
  const auto add = [&](const char* quantity, const char* unit, double ours, double theirs) {
    section.comparisons.push_back({.group = {.system = "incident of 2026-11-06"},
                                   .quantity = quantity,
                                   .unit = unit,
                                   .ours = ours,
                                   .theirs = theirs,
                                   .place = "the incident's report",
                                   .standing = Standing::fitted});
  };
  add("completions that loop, stale draft", "%", 100.0 * found.stale.loop_share, 2.1);
  add("completions that break their schema, stale draft", "%", 100.0 * found.stale.schema_share,
      0.7);
  add("acceptance rate, stale draft", "", found.stale.acceptance_rate, 0.94);
  add("acceptance rate, healthy", "", found.healthy.acceptance_rate, 0.41);
}

/// @return the least ratio of degraded completions without a gate over with one
double add_sensitivity(Section& section, double stale_temperature, const std::string& caption) {
  Table table{.caption = caption,
              .header = {"moved", "to", "loops, healthy, %", "loops, stale, %", "schema, stale, %",
                         "acceptance, stale", "degraded per 100,000, stale", "excess, no gate",
                         "excess, params_hash", "no gate / params_hash"},
              .rows = {}};
  double least = std::numeric_limits<double>::infinity();
  for (const models::SensitivityRow& row : models::loop_sensitivity(incident(stale_temperature))) {
    const models::DegradationOutlook& found = row.outlook;
    least = std::min(least, found.ratio());
    table.rows.push_back({row.input,
                          row.value,
                          {100.0 * found.healthy.loop_share, 4},
                          {100.0 * found.stale.loop_share, 2},
                          {100.0 * found.stale.schema_share, 2},
                          {found.stale.acceptance_rate, 3},
                          {found.per_100000(), 0},
                          {found.ungated - found.unavoidable, 0},
                          {found.gated - found.unavoidable, 1},
                          {found.ratio(), 0}});
  }
  section.tables.push_back(std::move(table));
  return least;
}

}  // namespace

Section degradation_section() {
  Section section{
      .id = "degradation",
      .title = "Loops and schema violations",
      .question =
          "Do loops depend on the entropy of what is emitted as published figures say, are they as "
          "easy to draft, and how late does a detector see them? The level of loops and of schema "
          "violations is calibrated on the incident: no figure of their hazards per token is "
          "published. So the second question is how conclusions move when these inputs move: for "
          "each, the share of completions that go bad, the excess over a healthy fleet in the "
          "incident's 300 s at 1,667 completions a second, without a gate and with one that lets "
          "traffic onto the stale pairing for 0.302 s, and the ratio of all degraded completions."};
  section.listing = Listing::groups_and_rows;
  add_loop_anchors(section);
  add_calibrated(section);
  const double greedy =
      add_sensitivity(section, 0.0, "Sensitivity, draft stale at T = 0 (the incident)");
  const double cool = add_sensitivity(section, 0.2, "Sensitivity, draft stale at T = 0.2");
  section.bounds.push_back({.name = "degraded completions without a gate over with one",
                            .statistic = "least ratio over all rows of both tables",
                            .measured = std::min(greedy, cool),
                            .limit = 10.0,
                            .direction = Direction::at_least,
                            .pledge = Pledge::guard});
  section.notes.push_back(
      "The excess without a gate and with one grow alike, so their ratio stays what the times of "
      "exposure make it, 300 s over 0.302 s; the last column, which counts what a healthy fleet "
      "degrades too, moves with its loops. The level of either is worth no more than the "
      "calibration. A law of entropy other than the log-linear changes nothing at "
      "T = 0, which is one of its ends, and up to 3.6 times the loops at T = 0.2.");
  return section;
}

}  // namespace specroute::sim::validation
