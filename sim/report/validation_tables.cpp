#include "sim/report/validation_tables.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "sim/scenario/fixed_text.hpp"

namespace specroute::sim {
namespace {

using namespace validation;

std::vector<std::string> error_line(const std::string& name, const GroupError& error) {
  return {name,
          error.quantity,
          to_string(error.standing),
          std::to_string(error.count),
          percent_text(error.mean_absolute),
          percent_text(error.bias, true),
          percent_text(error.worst, true),
          error.worst_place};
}

std::string with_unit(const std::string& quantity, const std::string& unit) {
  return unit.empty() ? quantity : quantity + ", " + unit;
}

std::string bound_value(const Bound& bound, double value) {
  return bound.percent ? percent_text(value) : figure_text(value);
}

}  // namespace

std::string percent_text(double fraction, bool sign) {
  const std::string text = fixed_text(fraction * 100.0, 1) + " %";
  return sign && fraction > 0.0 ? '+' + text : text;
}

std::string figure_text(double value) {
  int decimals = 3;
  for (double size = std::abs(value); size >= 10.0 && decimals > 0; size /= 10.0) --decimals;
  for (double size = std::abs(value); size > 0.0 && size < 1.0 && decimals < 9; size *= 10.0)
    ++decimals;
  return fixed_text(value, decimals);
}

TextLines error_lines(const Section& section) {
  TextLines lines = {{"group", "quantity", "standing", "n", "MAPE", "bias", "worst", "worst at"}};
  const auto errors = group_errors(section.comparisons);
  std::map<std::pair<std::string, Standing>, std::size_t> groups;
  for (const GroupError& error : errors) {
    lines.push_back(error_line(to_string(error.group), error));
    ++groups[{error.quantity, error.standing}];
  }
  for (const auto& [key, count] : groups)
    if (count > 1)
      if (const auto all = overall_error(section.comparisons, key.first, key.second))
        lines.push_back(error_line("all", *all));
  return lines;
}

TextLines comparison_lines(const Section& section) {
  TextLines lines = {
      {"group", "quantity", "condition", "ours", "theirs", "error", "standing", "source"}};
  for (const Comparison& row : section.comparisons)
    lines.push_back({to_string(row.group), with_unit(row.quantity, row.unit), row.condition,
                     figure_text(row.ours), figure_text(row.theirs),
                     percent_text(relative_error(row), true), to_string(row.standing), row.place});
  return lines;
}

TextLines bound_lines(const std::vector<Bound>& bounds) {
  TextLines lines = {{"bound", "pledge", "statistic", "measured", "limit", "verdict"}};
  for (const Bound& bound : bounds)
    lines.push_back(
        {bound.name, to_string(bound.pledge), bound.statistic, bound_value(bound, bound.measured),
         (bound.direction == Direction::at_most ? "<= " : ">= ") + bound_value(bound, bound.limit),
         bound.met() ? "met" : "MISSED"});
  return lines;
}

TextLines table_lines(const Table& table) {
  TextLines lines = {table.header};
  for (const auto& row : table.rows) {
    std::vector<std::string> line;
    for (const Cell& cell : row)
      line.push_back(cell.number ? fixed_text(cell.number, cell.decimals) : cell.text);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace specroute::sim
