#include "sim/validation/per_position.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "models/speculation/acceptance.hpp"
#include "models/speculation/depth_law.hpp"
#include "sim/scenario/fixed_text.hpp"

namespace specroute::sim::validation {
namespace {

constexpr std::size_t kGiven = 4;  ///< positions that the depth law is given

struct Vector {
  const char* what;
  const char* place;
  std::vector<double> unconditional;
  double length;  ///< mean acceptance length, as published beside it
};

std::vector<Vector> vectors() {
  return {{"MTP, gsm8k, T = 0",
           "vllm PR#48892",
           {0.7617, 0.6158, 0.5125, 0.4243, 0.3640, 0.3094, 0.2722, 0.2365},
           4.50},
          {"MTP, gsm8k, T = 0, k = 1", "vllm PR#48892", {0.8339}, 1.83},
          {"EAGLE-3, HumanEval", "vllm PR#32628", {0.72, 0.50, 0.34, 0.22, 0.15}, 2.93},
          {"EAGLE-3, other text",
           "vllm PR#32628",
           {0.63, 0.38, 0.23, 0.14, 0.09, 0.05, 0.03, 0.02},
           2.57},
          {"EAGLE-3, llama.cpp", "llama.cpp PR#24536", {0.805, 0.632, 0.483}, 2.92},
          {"EAGLE, code edit", "vllm PR#24344", {0.77, 0.45, 0.24}, 2.46},
          {"n-gram, code edit", "vllm PR#24344", {0.81, 0.74, 0.70, 0.68, 0.66}, 4.59}};
}

/// Counters of a log, and the figures that the log derives from them.
struct Counters {
  const char* what;
  const char* place;
  double drafts;
  double drafted;
  double accepted;
  double length;
  double rate;
};

constexpr Counters kCounters[] = {
    {"EAGLE-3, MT-bench, k = 7", "vllm#26191", 4816, 33712, 12208, 3.53, 0.362},
    {"EAGLE-3, llama.cpp log", "llama.cpp PR#24536", 87, 259, 167, 2.92, 0.64479},
};

std::vector<models::MeasuredLength> lengths_of(std::span<const double> unconditional) {
  std::vector<models::MeasuredLength> lengths;
  double length = 1.0;
  for (const double accepted : unconditional) {
    length += accepted;
    lengths.push_back({static_cast<int>(lengths.size()) + 1, length});
  }
  return lengths;
}

std::string shape_text(std::span<const double> conditional) {
  std::string text;
  for (const double a : conditional) text += (text.empty() ? "" : " ") + fixed_text(a, 2);
  return text;
}

/// What one acceptance for all positions would say, taken at the first.
double iid_length(const Vector& vector) {
  const auto tokens = static_cast<int>(vector.unconditional.size());
  return models::mean_acceptance_length(models::iid_shape(vector.unconditional.front(), tokens));
}

void add_prediction(const Vector& vector, Section& section, Table& table) {
  const auto lengths = lengths_of(vector.unconditional);
  const auto law = models::fit_depth_law(std::span(lengths).first(kGiven));
  const auto tokens = static_cast<int>(vector.unconditional.size());
  const double ours = models::mean_acceptance_length(models::depth_shape(law, tokens));
  section.comparisons.push_back(
      {.quantity = "length, from the first 4 positions",
       .condition = std::string(vector.what) + ", " + std::to_string(tokens) + " positions",
       .ours = ours,
       .theirs = lengths.back().acceptance_length,
       .place = vector.place});
  table.rows.push_back({vector.what,
                        {law.hazard, 3},
                        {law.growth, 2},
                        {ours, 2},
                        {iid_length(vector), 2},
                        {lengths.back().acceptance_length, 2}});
}

Comparison identity(const char* what, double ours, double theirs, const char* place) {
  return {.quantity = "length, from what was counted",
          .condition = what,
          .ours = ours,
          .theirs = theirs,
          .place = place};
}

void add_bounds(Section& section) {
  double rounding = 0.0;
  for (const Comparison& row : section.comparisons)
    if (row.quantity == "length, from what was counted")
      rounding = std::max(rounding, std::abs(row.ours - row.theirs));
  section.bounds.push_back({.name = "mean acceptance length from positions or counters",
                            .statistic = "largest |ours - theirs|",
                            .measured = rounding,
                            .limit = 0.01});
  const auto predicted =
      overall_error(section.comparisons, "length, from the first 4 positions", Standing::predicted);
  section.bounds.push_back({.name = "mean acceptance length from the first 4 positions",
                            .statistic = "MAPE",
                            .measured = predicted.value().mean_absolute,
                            .limit = 0.05,
                            .percent = true,
                            .pledge = Pledge::guard});
}

}  // namespace

Section per_position_section() {
  Section section{
      .id = "per_position",
      .title = "Acceptance along a draft: published per-position figures",
      .question =
          "Engines publish unconditional acceptances per position and a mean acceptance length "
          "beside. Do our conversions give back the length, and does the depth law (a_j = "
          "exp(-m g^(j-1)), docs/model.md) predict what lies beyond position 4 from the first 4? "
          "The law was chosen on other rows (mean acceptance lengths by draft length, below); "
          "nothing here moved it. One acceptance for all positions, taken at the first, is shown "
          "beside it."};
  section.listing = Listing::groups_and_rows;
  Table shapes{.caption = "Conditional acceptance by position",
               .header = {"draft", "conditional", "source"},
               .rows = {}};
  Table laws{.caption = "The depth law from the first 4 positions",
             .header = {"draft", "m", "g", "ours", "i.i.d. of position 1", "measured length"},
             .rows = {}};
  for (const Vector& vector : vectors()) {
    const auto shape = models::conditional_shape(vector.unconditional);
    section.comparisons.push_back(
        identity(vector.what, models::mean_acceptance_length(shape), vector.length, vector.place));
    shapes.rows.push_back({vector.what, shape_text(shape), vector.place});
    if (vector.unconditional.size() > kGiven) add_prediction(vector, section, laws);
  }
  for (const Counters& log : kCounters) {
    section.comparisons.push_back(
        identity(log.what, 1.0 + log.accepted / log.drafts, log.length, log.place));
    section.comparisons.push_back({.quantity = "acceptance rate, from what was counted",
                                   .condition = log.what,
                                   .ours = log.accepted / log.drafted,
                                   .theirs = log.rate,
                                   .place = log.place});
  }
  section.tables = {std::move(shapes), std::move(laws)};
  add_bounds(section);
  section.notes.push_back(
      "The first acceptance depends on the draft length of the run (.8339 at k = 1, .7617 at k = "
      "8, "
      "one model and task): vectors of different k are different runs.");
  return section;
}

}  // namespace specroute::sim::validation
