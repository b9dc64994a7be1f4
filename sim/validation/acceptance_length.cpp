#include "sim/validation/acceptance_length.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/speculation/acceptance.hpp"
#include "models/speculation/depth_law.hpp"
#include "sim/scenario/fixed_text.hpp"

namespace specroute::sim::validation {
namespace {

constexpr int kShort = 4;                 ///< draft tokens that are given
constexpr std::size_t kLeastLengths = 3;  ///< different ones that a law asks for: one to spare
constexpr const char* kQuantity = "mean acceptance length";

struct Row {
  int draft_tokens;
  double length;
  std::string place;
};

/// Rows by setting, settings in order of their names.
using Settings = std::map<std::string, std::vector<Row>>;

/// Appends "label value" to the details of rows whose model takes several values of a column.
void add_details(const std::vector<std::string>& models, const std::string& label,
                 const std::vector<std::string>& values, std::vector<std::string>& details) {
  std::map<std::string, std::set<std::string>> by_model;
  for (std::size_t row = 0; row < models.size(); ++row) by_model[models[row]].insert(values[row]);
  for (std::size_t row = 0; row < models.size(); ++row) {
    if (by_model[models[row]].size() < 2) continue;
    if (!details[row].empty()) details[row] += ", ";
    details[row] += label + ' ' + values[row];
  }
}

/// "minimax-m3 (eagle3, thinking on)": the drafter, and whatever tells settings of a model apart.
std::vector<std::string> setting_names(const CsvTable& table, ColumnReader& read) {
  std::vector<std::string> names = read.text("model");
  std::vector<std::string> details(table.rows());
  if (read.has("draft_method")) details = read.text_or_empty("draft_method");
  for (const char* column : {"thinking", "temperature", "top_p", "top_k", "dataset"})
    if (read.has(column)) add_details(names, column, read.text_or_empty(column), details);
  for (std::size_t row = 0; row < names.size(); ++row)
    if (!details[row].empty()) names[row] += " (" + details[row] + ')';
  return names;
}

/// Reads one file into the settings. @return its faults.
Diagnostics add_file(const DataFile& file, Settings& settings) {
  const auto table = CsvTable::parse(file.name, file.text);
  if (!table) return table.diagnostics();
  ColumnReader read(table.value());
  const auto names = setting_names(table.value(), read);
  const auto tokens = read.integer("num_speculative_tokens", 1, models::kMaxDraftTokens);
  const auto lengths = read.number("mean_acceptance_length", {.least = 1.0});
  Diagnostics faults = read.faults();
  if (!faults.empty()) return faults;
  for (std::size_t row = 0; row < names.size(); ++row) {
    const auto most = static_cast<double>(tokens[row] + 1);
    if (lengths[row] > most)
      faults.push_back({.file = table.value().place(row),
                        .place = "mean_acceptance_length",
                        .expected = "at most " + fixed_text(most, 0) + " (draft tokens + 1)",
                        .found = fixed_text(lengths[row], 3),
                        .nearest = {}});
    else
      settings[names[row]].push_back(
          {static_cast<int>(tokens[row]), lengths[row], table.value().place(row)});
  }
  return faults;
}

std::vector<models::MeasuredLength> short_lengths(const std::vector<Row>& rows) {
  std::vector<models::MeasuredLength> lengths;
  for (const Row& row : rows)
    if (row.draft_tokens <= kShort) lengths.push_back({row.draft_tokens, row.length});
  return lengths;
}

bool predictable(const std::vector<Row>& rows) {
  std::set<int> given;
  bool wanted = false;
  for (const Row& row : rows) {
    if (row.draft_tokens <= kShort) given.insert(row.draft_tokens);
    wanted = wanted || row.draft_tokens > kShort;
  }
  return wanted && given.size() >= kLeastLengths;
}

/// Mean |relative error| over the long drafts of one setting under some shape.
template <class Length>
double long_error(const std::vector<Row>& rows, Length length) {
  double sum = 0.0;
  double count = 0.0;
  for (const Row& row : rows) {
    if (row.draft_tokens <= kShort) continue;
    const double error = length(row.draft_tokens) / row.length - 1.0;
    sum += error < 0.0 ? -error : error;
    count += 1.0;
  }
  return sum / count;
}

/// Its shortest draft's acceptance for every position: what one figure alone would say.
double iid_error(const std::vector<Row>& rows) {
  const Row& shortest = *std::ranges::min_element(rows, {}, &Row::draft_tokens);
  const double alpha = models::alpha_from_rate((shortest.length - 1.0) / shortest.draft_tokens,
                                               shortest.draft_tokens);
  return long_error(rows, [alpha](int tokens) {
    return models::mean_acceptance_length(models::iid_shape(alpha, tokens));
  });
}

void add_setting(const std::string& name, const std::vector<Row>& rows, Section& section,
                 Table& table) {
  const models::DepthLaw law = models::fit_depth_law(short_lengths(rows));
  const auto length = [&law](int tokens) {
    return models::mean_acceptance_length(models::depth_shape(law, tokens));
  };
  for (const Row& row : rows)
    section.comparisons.push_back(
        {.group = {.model = name},
         .quantity = kQuantity,
         .condition = "k = " + std::to_string(row.draft_tokens),
         .ours = length(row.draft_tokens),
         .theirs = row.length,
         .place = row.place,
         .standing = row.draft_tokens <= kShort ? Standing::fitted : Standing::predicted});
  table.rows.push_back({name,
                        {law.hazard, 3},
                        {law.growth, 2},
                        {100.0 * long_error(rows, length), 1},
                        {100.0 * iid_error(rows), 1}});
}

/// The bound over all rows, and the same for the setting that fares worst.
void add_bounds(Section& section) {
  const auto all = overall_error(section.comparisons, kQuantity, Standing::predicted);
  if (!all) return;
  GroupError worst;
  for (const GroupError& error : group_errors(section.comparisons))
    if (error.standing == Standing::predicted && error.mean_absolute >= worst.mean_absolute)
      worst = error;
  section.bounds.push_back({.name = "mean acceptance length at k > 4 from k <= 4, all rows",
                            .statistic = "MAPE",
                            .measured = all->mean_absolute,
                            .limit = 0.05,
                            .percent = true});
  section.bounds.push_back({.name = "the setting that fares worst, " + to_string(worst.group),
                            .statistic = "MAPE",
                            .measured = worst.mean_absolute,
                            .limit = 0.05,
                            .percent = true});
}

Section empty_section() {
  return {
      .id = "acceptance_length",
      .title = "Mean acceptance length of long drafts from short ones",
      .question =
          "Does the depth law (a_j = exp(-m g^(j-1)), docs/model.md), given the mean acceptance "
          "lengths at up to 4 draft tokens, predict those at more? Two numbers per setting are "
          "fitted by least squares on the short drafts and nothing on the long ones. Each "
          "length is a run of its own, with its own noise: measured lengths even fall from one "
          "draft length to the next. One acceptance for all positions, taken at the shortest "
          "draft, is shown beside it.",
      .listing = Listing::groups_and_rows};
}

}  // namespace

Result<Section> acceptance_length_section(const DataDirectory& data) {
  Settings settings;
  Diagnostics faults;
  for (const DataFile* file : data.files_of(kAcceptanceFiles))
    for (Diagnostic& fault : add_file(*file, settings)) faults.push_back(std::move(fault));
  if (!faults.empty()) return faults;
  Section section = empty_section();
  Table table{.caption = "The law of each setting, and its MAPE at k > 4 in percent",
              .header = {"setting", "m", "g", "depth law", "i.i.d. of the shortest draft"},
              .rows = {}};
  for (const auto& [name, rows] : settings) {
    if (predictable(rows))
      add_setting(name, rows, section, table);
    else
      section.notes.push_back("skipped " + std::to_string(rows.size()) +
                              (rows.size() == 1 ? " row" : " rows") + " of " + name +
                              ": a prediction takes three draft lengths up to 4 and one beyond");
  }
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
  add_bounds(section);
  section.notes.push_back(
      "The form of the law was chosen among two-parameter forms with these rows in view, so the "
      "error "
      "here flatters it; the per-position figures above played no part in the choice.");
  return section;
}

}  // namespace specroute::sim::validation
