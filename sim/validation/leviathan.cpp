#include "sim/validation/leviathan.hpp"

#include <algorithm>
#include <cmath>

#include "models/speculation/acceptance.hpp"

namespace specroute::sim::validation {
namespace {

struct Setting {
  const char* task;
  const char* draft;
  int temperature;
  int draft_tokens;
  double alpha;
  double cost;      ///< c: draft step over target step
  double expected;  ///< "Exp"
  double measured;  ///< "Emp": on TPU-v4, batch 1
};

constexpr Setting kRows[] = {
    {"English-German", "T5-small", 0, 7, 0.75, 0.02, 3.2, 3.4},
    {"English-German", "T5-base", 0, 7, 0.80, 0.04, 3.3, 2.8},
    {"English-German", "T5-large", 0, 7, 0.82, 0.11, 2.5, 1.7},
    {"English-German", "T5-small", 1, 7, 0.62, 0.02, 2.3, 2.6},
    {"English-German", "T5-base", 1, 5, 0.68, 0.04, 2.4, 2.4},
    {"English-German", "T5-large", 1, 3, 0.71, 0.11, 2.0, 1.4},
    {"CNN/DM", "T5-small", 0, 5, 0.65, 0.02, 2.4, 3.1},
    {"CNN/DM", "T5-base", 0, 5, 0.73, 0.04, 2.6, 3.0},
    {"CNN/DM", "T5-large", 0, 3, 0.74, 0.11, 2.0, 2.2},
    {"CNN/DM", "T5-small", 1, 5, 0.53, 0.02, 1.9, 2.3},
    {"CNN/DM", "T5-base", 1, 3, 0.55, 0.04, 1.8, 2.2},
    {"CNN/DM", "T5-large", 1, 3, 0.56, 0.11, 1.6, 1.7},
};

/// Theorem 3.8: expected tokens of a round, over the time of the round in target steps. A round
/// verifies its gamma + 1 positions in the time of one step.
double speed_up(const Setting& row) {
  const auto shape = models::iid_shape(row.alpha, row.draft_tokens);
  return models::mean_acceptance_length(shape) / (row.draft_tokens * row.cost + 1.0);
}

std::string condition_of(const Setting& row) {
  return std::string(row.task) + ", T = " + std::to_string(row.temperature) +
         ", gamma = " + std::to_string(row.draft_tokens);
}

}  // namespace

Section leviathan_section() {
  Section section{
      .id = "leviathan",
      .title = "Speculative sampling against Leviathan et al. 2023",
      .question =
          "Do our expected tokens per verification give the speed-ups that the authors of "
          "speculative sampling expect from the acceptance alpha and the relative cost c that they "
          "measured? Tokens per round come from the acceptance model (i.i.d. positions, bonus "
          "token included); a round costs gamma draft steps and one target step (theorem 3.8). "
          "Their inputs are rounded to two digits and their results to one, so 0.1 is as near as "
          "the comparison can be. What they then measured (\"Emp\") is up to a third away from "
          "what they expected, in both directions, and is shown for that reason alone."};
  section.listing = Listing::groups_alone;
  Table table{.caption = "T5-XXL 11B target, batch 1",
              .header = {"task", "draft", "T", "gamma", "alpha", "c", "tokens per round", "ours",
                         "Exp", "ours - Exp", "Emp"},
              .rows = {}};
  double worst = 0.0;
  for (const Setting& row : kRows) {
    const double ours = speed_up(row);
    worst = std::max(worst, std::abs(ours - row.expected));
    section.comparisons.push_back({.group = {.model = row.draft},
                                   .quantity = "expected speed-up",
                                   .condition = condition_of(row),
                                   .ours = ours,
                                   .theirs = row.expected,
                                   .place = "arXiv 2211.17192, table 2"});
    table.rows.push_back({row.task,
                          row.draft,
                          {static_cast<double>(row.temperature), 0},
                          {static_cast<double>(row.draft_tokens), 0},
                          {row.alpha, 2},
                          {row.cost, 2},
                          {ours * (row.draft_tokens * row.cost + 1.0), 2},
                          {ours, 2},
                          {row.expected, 1},
                          {ours - row.expected, 2},
                          {row.measured, 1}});
  }
  section.tables.push_back(std::move(table));
  section.bounds.push_back({.name = "12 expected speed-ups",
                            .statistic = "largest |ours - Exp|",
                            .measured = worst,
                            .limit = 0.1});
  return section;
}

}  // namespace specroute::sim::validation
