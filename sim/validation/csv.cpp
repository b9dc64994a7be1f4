#include "sim/validation/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <new>
#include <set>

#include <csv.h>

#include "sim/json/nearest.hpp"
#include "sim/scenario/fixed_text.hpp"

namespace specroute::sim::validation {
namespace {

struct Record {
  std::size_t line;
  std::vector<std::string> fields;
};

/// What libcsv's callbacks write into.
struct Reading {
  std::size_t line = 1;
  std::vector<std::string> fields;
  std::vector<Record> records;
};

void take_field(void* bytes, std::size_t size, void* reading) {
  static_cast<Reading*>(reading)->fields.emplace_back(static_cast<const char*>(bytes), size);
}

void take_row(int /*terminator*/, void* reading) {
  auto& into = *static_cast<Reading*>(reading);
  into.records.push_back({into.line, std::move(into.fields)});
  into.fields.clear();
}

struct FreeParser {
  void operator()(csv_parser* parser) const {
    csv_free(parser);
    delete parser;
  }
};

Diagnostic fault_at(const std::string& file, std::size_t line, std::string expected,
                    std::string found) {
  return {.file = file + ':' + std::to_string(line),
          .place = {},
          .expected = std::move(expected),
          .found = std::move(found),
          .nearest = {}};
}

/// Records with the line each ends on. Line by line, since libcsv counts none.
Result<std::vector<Record>> records_of(const std::string& file, std::string_view text) {
  const std::unique_ptr<csv_parser, FreeParser> parser(new csv_parser{});
  check(csv_init(parser.get(), CSV_STRICT | CSV_STRICT_FINI) == 0, "libcsv takes its options");
  Reading reading;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    if (csv_parse(parser.get(), text.data(), end, take_field, take_row, &reading) != end) {
      if (csv_error(parser.get()) == CSV_ENOMEM) throw std::bad_alloc();
      return fault_at(file, reading.line, "a quoted field that its quotes enclose whole",
                      "a quote inside a field");
    }
    text.remove_prefix(end);
    if (!text.empty()) ++reading.line;
  }
  if (csv_fini(parser.get(), take_field, take_row, &reading) != 0)
    return fault_at(file, reading.line, "the quote that ends a field", "the end of the file");
  return std::move(reading.records);
}

Diagnostics header_faults(const std::string& file, const Record& header) {
  Diagnostics faults;
  std::set<std::string> names;
  for (const std::string& name : header.fields) {
    if (name.empty())
      faults.push_back(fault_at(file, header.line, "a name for every column", "one without"));
    else if (!names.insert(name).second)
      faults.push_back(
          fault_at(file, header.line, "every column once", '"' + name + "\" a second time"));
  }
  return faults;
}

std::string limit_text(double limit) {
  return fixed_text(limit, limit == std::floor(limit) ? 0 : 3);
}

std::string range_text(NumberRange range) {
  const NumberRange all;
  std::string text = "a number";
  const bool below = range.greatest < all.greatest;
  if (range.least > all.least)
    text += (range.least_excluded ? " > " : " >= ") + limit_text(range.least);
  if (below) text += (range.least > all.least ? " and <= " : " <= ") + limit_text(range.greatest);
  return text;
}

}  // namespace

Result<CsvTable> CsvTable::parse(std::string file, std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  auto records = records_of(file, text);
  if (!records) return records.diagnostics();
  std::vector<Record> lines = std::move(records).value();
  if (lines.empty()) return fault_at(file, 1, "a header with the names of the columns", "nothing");
  Diagnostics faults = header_faults(file, lines.front());
  CsvTable table;
  table.header_ = std::move(lines.front().fields);
  const std::size_t width = table.header_.size();
  for (std::size_t l = 1; l < lines.size(); ++l) {
    if (lines[l].fields.size() != width)
      faults.push_back(fault_at(file, lines[l].line, std::to_string(width) + " fields",
                                std::to_string(lines[l].fields.size())));
    table.rows_.push_back({lines[l].line, std::move(lines[l].fields)});
  }
  if (!faults.empty()) return faults;
  table.file_ = std::move(file);
  return table;
}

std::string CsvTable::place(std::size_t row) const {
  return file_ + ':' + std::to_string(rows_[row].line);
}

std::optional<std::size_t> ColumnReader::find(std::string_view name) const {
  const auto& header = table_.header();
  const auto found = std::ranges::find(header, name);
  if (found == header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.begin());
}

std::optional<std::size_t> ColumnReader::require(std::string_view name) {
  const auto column = find(name);
  if (!column)
    faults_.push_back({.file = table_.file(),
                       .place = "header",
                       .expected = "a column \"" + std::string(name) + '"',
                       .found = "none of that name",
                       .nearest = nearest_of(name, table_.header())});
  return column;
}

void ColumnReader::report(std::size_t row, std::size_t column, const std::string& expected) {
  const std::string& found = table_.field(row, column);
  faults_.push_back({.file = table_.place(row),
                     .place = table_.header()[column],
                     .expected = expected,
                     .found = found.empty() ? "nothing" : '"' + found + '"',
                     .nearest = {}});
}

std::vector<std::string> ColumnReader::text(std::string_view name) {
  auto values = text_or_empty(name);
  if (const auto column = find(name))
    for (std::size_t row = 0; row < values.size(); ++row)
      if (values[row].empty()) report(row, *column, "a name");
  return values;
}

std::vector<std::string> ColumnReader::text_or_empty(std::string_view name) {
  std::vector<std::string> values(table_.rows());
  if (const auto column = require(name))
    for (std::size_t row = 0; row < values.size(); ++row) values[row] = table_.field(row, *column);
  return values;
}

std::optional<double> ColumnReader::parse(std::size_t row, std::size_t column, NumberRange range) {
  const std::string& field = table_.field(row, column);
  double value = 0.0;
  const char* const end = field.data() + field.size();
  const auto read = std::from_chars(field.data(), end, value);
  const bool whole = !field.empty() && read.ec == std::errc{} && read.ptr == end;
  const bool above = range.least_excluded ? value > range.least : value >= range.least;
  if (whole && std::isfinite(value) && above && value <= range.greatest) return value;
  report(row, column, range_text(range));
  return std::nullopt;
}

std::vector<double> ColumnReader::number(std::string_view name, NumberRange range) {
  std::vector<double> values(table_.rows());
  if (const auto column = require(name))
    for (std::size_t row = 0; row < values.size(); ++row)
      values[row] = parse(row, *column, range).value_or(0.0);
  return values;
}

std::vector<std::optional<double>> ColumnReader::number_or_empty(std::string_view name,
                                                                 NumberRange range) {
  std::vector<std::optional<double>> values(table_.rows());
  if (const auto column = require(name))
    for (std::size_t row = 0; row < values.size(); ++row)
      if (!table_.field(row, *column).empty()) values[row] = parse(row, *column, range);
  return values;
}

std::vector<std::int64_t> ColumnReader::integer(std::string_view name, std::int64_t least,
                                                std::int64_t greatest) {
  std::vector<std::int64_t> values(table_.rows());
  const auto column = require(name);
  for (std::size_t row = 0; column && row < values.size(); ++row) {
    const std::string& field = table_.field(row, *column);
    const char* const end = field.data() + field.size();
    const auto read = std::from_chars(field.data(), end, values[row]);
    const bool whole = read.ec == std::errc{} && read.ptr == end;
    if (whole && values[row] >= least && values[row] <= greatest) continue;
    report(row, *column,
           "a whole number from " + std::to_string(least) + " to " + std::to_string(greatest));
    values[row] = 0;
  }
  return values;
}

Diagnostics ColumnReader::faults() const {
  constexpr std::size_t kShown = 20;
  if (faults_.size() <= kShown) return faults_;
  Diagnostics shown(faults_.begin(), faults_.begin() + kShown);
  shown.push_back({.file = table_.file(),
                   .place = {},
                   .expected = {},
                   .found = std::to_string(faults_.size() - kShown) + " more faults like these",
                   .nearest = {}});
  return shown;
}

}  // namespace specroute::sim::validation
