#include "sim/report/validation_text.hpp"

#include <algorithm>

#include "sim/digest/sha256.hpp"
#include "sim/report/table.hpp"
#include "sim/report/validation_tables.hpp"
#include "sim/validation/fidelity_limits.hpp"

namespace specroute::sim {
namespace {

using namespace validation;

constexpr const char* kOpening =
    "# Models held to measurement\n\n"
    "This page is the output of `specroute validate-models --data DIR --markdown "
    "docs/validation.md`, where DIR holds\nthe data files listed at its end. Nothing is fitted on "
    "DIR: constants are in the code, and a standing says how far\nthey know the rows they are held "
    "against.\n\n"
    "- **fitted**: a constant of the model was fitted on these very rows, so the error is in "
    "sample.\n"
    "- **held out**: the same model with constants fitted again without this group.\n"
    "- **predicted**: no constant ever saw these rows.\n\n"
    "Errors are relative to the measured value: MAPE is the mean of |ours - theirs| / theirs, bias "
    "the mean with its sign,\nworst the one of largest magnitude. A **stated** bound is a "
    "requirement "
    "that stood before the measurement; a **guard** was\nset with the figure in view and holds "
    "what "
    "is there; a **known miss** is a requirement that the models do not reach.\nThe command exits "
    "with 1 where a stated bound or a guard is missed.\n";

/// A bar inside a cell would end it.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

std::string markdown_table(const TextLines& lines) {
  std::string text;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    text += '|';
    for (const std::string& cell : lines[l]) text += ' ' + escaped(cell) + " |";
    text += '\n';
    if (l > 0) continue;
    text += '|';
    for (std::size_t c = 0; c < lines[l].size(); ++c) text += "---|";
    text += '\n';
  }
  return text;
}

std::string markdown_list(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += "- " + item + '\n';
  return text;
}

/// "36 of 37 bounds are met, 1 miss is known".
std::string verdict_line(const std::vector<Bound>& bounds) {
  const auto met = std::ranges::count_if(bounds, &Bound::met);
  const auto known = std::ranges::count_if(bounds, [](const Bound& bound) {
    return !bound.met() && bound.pledge == Pledge::known_miss;
  });
  std::string text =
      std::to_string(met) + " of " + std::to_string(bounds.size()) + " bounds are met";
  if (known > 0)
    text += ", " + std::to_string(known) + (known == 1 ? " miss is" : " misses are") + " known";
  return text;
}

/// A check of ours is many small bounds: of those, only the missed ones are worth a line.
std::vector<Bound> shown_bounds(const Section& section) {
  std::vector<Bound> shown;
  for (const Bound& bound : section.bounds)
    if (section.evidence == Evidence::measurement || !bound.met()) shown.push_back(bound);
  return shown;
}

std::string markdown_section(const Section& section) {
  std::string text = "\n## " + section.title + "\n\n";
  if (section.evidence == Evidence::own_check)
    text += "*Our own check: our models against our own expectation, no measurement.*\n\n";
  text += section.question + '\n';
  const auto bounds = shown_bounds(section);
  if (bounds.size() < section.bounds.size()) text += '\n' + verdict_line(section.bounds) + ".\n";
  if (!bounds.empty()) text += '\n' + markdown_table(bound_lines(bounds));
  if (!section.comparisons.empty()) text += '\n' + markdown_table(error_lines(section));
  for (const Table& table : section.tables)
    text += '\n' + table.caption + ":\n\n" + markdown_table(table_lines(table));
  if (section.listing == Listing::groups_and_rows)
    text += "\nEach comparison:\n\n" + markdown_table(comparison_lines(section));
  if (!section.notes.empty()) text += '\n' + markdown_list(section.notes);
  return text;
}

std::string markdown_limits() {
  std::string text;
  for (const FidelityLimit& limit : fidelity_limits())
    text += std::string("- **") + limit.claim + "** " + limit.reason + '\n';
  return text;
}

TextLines summary_lines(const Validation& validation) {
  TextLines lines = {{"section", "bound", "pledge", "statistic", "measured", "limit", "verdict"}};
  for (const Section& section : validation.sections) {
    TextLines bounds = bound_lines(shown_bounds(section));
    for (std::size_t b = 1; b < bounds.size(); ++b) {
      bounds[b].insert(bounds[b].begin(), section.title);
      lines.push_back(std::move(bounds[b]));
    }
  }
  return lines;
}

TextLines file_lines(const DataDirectory& data) {
  TextLines lines = {{"file", "SHA-256"}};
  for (const DataFile& file : data.files()) lines.push_back({file.name, sha256_hex(file.text)});
  return lines;
}

std::string verdict_line(const Validation& validation) {
  std::vector<Bound> bounds;
  for (const Section& section : validation.sections)
    bounds.insert(bounds.end(), section.bounds.begin(), section.bounds.end());
  return verdict_line(bounds);
}

}  // namespace

std::string validation_terminal(const Validation& validation) {
  std::string text;
  for (const Section& section : validation.sections) {
    text += section.title;
    if (section.evidence == Evidence::own_check) text += " (our own check)";
    text += '\n';
    if (!section.comparisons.empty()) text += '\n' + aligned(error_lines(section));
    const auto bounds = shown_bounds(section);
    if (bounds.size() < section.bounds.size()) text += verdict_line(section.bounds) + '\n';
    if (!bounds.empty()) text += '\n' + aligned(bound_lines(bounds));
    for (const std::string& note : section.notes) text += "note: " + note + '\n';
    text += '\n';
  }
  for (const std::string& note : validation.notes) text += "note: " + note + '\n';
  return text + verdict_line(validation) + '\n';
}

std::string validation_markdown(const Validation& validation, const DataDirectory& data) {
  std::string text = kOpening;
  text += "\n## Bounds\n\n" + verdict_line(validation) + ".\n\n" +
          markdown_table(summary_lines(validation));
  for (const Section& section : validation.sections) text += markdown_section(section);
  text += "\n## Fidelity limits: what not to conclude from this simulator\n\n" + markdown_limits();
  if (!validation.notes.empty())
    text += "\n## Not read, not run\n\n" + markdown_list(validation.notes);
  if (!data.files().empty()) text += "\n## Data files\n\n" + markdown_table(file_lines(data));
  return text;
}

}  // namespace specroute::sim
