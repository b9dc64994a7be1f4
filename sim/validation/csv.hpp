/// @file
/// Comma-separated data files, read by the names of their columns.
///
/// RFC 4180 as libcsv has it in strict mode, so quoted fields may hold commas, quotes and line
/// breaks; lines may end in LF, CR LF or the end of the file; empty lines are passed over; blanks
/// around an unquoted field and a byte order mark are dropped. Columns come in any order, and those
/// that nobody asks for are ignored.
/// @source RFC 4180; libcsv 3.0.3
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <specroute/vocab/result.hpp>

namespace specroute::sim::validation {

/// A header and its rows, each row with as many fields as the header.
class CsvTable {
 public:
  /// Refused, each fault with file and line: text without a header; a column without a name or
  /// named twice; a row with more or fewer fields than the header; a quote where none may stand.
  /// @param file name for diagnostics and places, relative to the data directory.
  [[nodiscard]] static Result<CsvTable> parse(std::string file, std::string_view text);

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  [[nodiscard]] const std::string& field(std::size_t row, std::size_t column) const {
    return rows_[row].fields[column];
  }
  /// "perf/serving_measured.csv:17": the line that the row ends on, counted from 1.
  [[nodiscard]] std::string place(std::size_t row) const;

 private:
  struct Row {
    std::size_t line;
    std::vector<std::string> fields;
  };

  std::string file_;
  std::vector<std::string> header_;
  std::vector<Row> rows_;
};

/// The numbers that a column may hold.
struct NumberRange {
  double least = -std::numeric_limits<double>::max();
  double greatest = std::numeric_limits<double>::max();
  bool least_excluded = false;
};

/// > 0.
inline constexpr NumberRange kPositive{.least = 0.0, .least_excluded = true};
/// >= 0.
inline constexpr NumberRange kNotNegative{.least = 0.0};

/// Reads whole columns and collects what is wrong. A column that is missing or has a fault reads as
/// neutral values, one per row: ask `faults` before using any.
class ColumnReader {
 public:
  /// @param table must outlive the reader.
  explicit ColumnReader(const CsvTable& table) : table_(table) {}

  [[nodiscard]] bool has(std::string_view name) const { return find(name).has_value(); }
  /// Not empty.
  [[nodiscard]] std::vector<std::string> text(std::string_view name);
  [[nodiscard]] std::vector<std::string> text_or_empty(std::string_view name);
  /// Decimal notation, finite, nothing before or after.
  [[nodiscard]] std::vector<double> number(std::string_view name, NumberRange range = {});
  /// As `number`; an empty field reads as none.
  [[nodiscard]] std::vector<std::optional<double>> number_or_empty(std::string_view name,
                                                                   NumberRange range = {});
  /// A whole number in [least, greatest].
  [[nodiscard]] std::vector<std::int64_t> integer(
      std::string_view name, std::int64_t least = 1,
      std::int64_t greatest = std::numeric_limits<std::int32_t>::max());

  /// Everything wrong so far, by column, at most 20 faults in full and then their count.
  [[nodiscard]] Diagnostics faults() const;

 private:
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  /// As `find`; a missing column is a fault that names the nearest spelling.
  [[nodiscard]] std::optional<std::size_t> require(std::string_view name);
  [[nodiscard]] std::optional<double> parse(std::size_t row, std::size_t column, NumberRange range);
  void report(std::size_t row, std::size_t column, const std::string& expected);

  const CsvTable& table_;
  Diagnostics faults_;
};

}  // namespace specroute::sim::validation
