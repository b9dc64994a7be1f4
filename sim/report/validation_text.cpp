#include "sim/report/validation_text.hpp"

#include "sim/report/sha256.hpp"
#include "sim/report/table.hpp"
#include "sim/report/validation_tables.hpp"

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
    "the mean with its sign,\nworst the one of largest magnitude. A bound was stated before it was "
    "measured; one that is missed is printed as\nMISSED, and the command exits with 1.\n";

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

std::string markdown_section(const Section& section) {
  std::string text = "\n## " + section.title + "\n\n";
  if (section.evidence == Evidence::own_check)
    text += "*Our own check: our models against our own expectation, no measurement.*\n\n";
  text += section.question + '\n';
  if (!section.bounds.empty()) text += '\n' + markdown_table(bound_lines(section.bounds));
  if (!section.comparisons.empty()) text += '\n' + markdown_table(error_lines(section));
  for (const Table& table : section.tables)
    text += '\n' + table.caption + ":\n\n" + markdown_table(table_lines(table));
  if (section.listing == Listing::groups_and_rows)
    text += "\nEach comparison:\n\n" + markdown_table(comparison_lines(section));
  if (!section.notes.empty()) text += '\n' + markdown_list(section.notes);
  return text;
}

TextLines summary_lines(const Validation& validation) {
  TextLines lines = {{"section", "bound", "statistic", "measured", "limit", "verdict"}};
  for (const Section& section : validation.sections) {
    TextLines bounds = bound_lines(section.bounds);
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
  std::size_t bounds = 0;
  for (const Section& section : validation.sections) bounds += section.bounds.size();
  const std::size_t missed = missed_bounds(validation);
  return std::to_string(bounds - missed) + " of " + std::to_string(bounds) + " bounds are met";
}

}  // namespace

std::string validation_terminal(const Validation& validation) {
  std::string text;
  for (const Section& section : validation.sections) {
    text += section.title;
    if (section.evidence == Evidence::own_check) text += " (our own check)";
    text += '\n';
    if (!section.comparisons.empty()) text += '\n' + aligned(error_lines(section));
    if (!section.bounds.empty()) text += '\n' + aligned(bound_lines(section.bounds));
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
  if (!validation.notes.empty())
    text += "\n## Not read, not run\n\n" + markdown_list(validation.notes);
  if (!data.files().empty()) text += "\n## Data files\n\n" + markdown_table(file_lines(data));
  return text;
}

}  // namespace specroute::sim
