/// @file
/// One line of a trace into one row, format by format.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/traces/trace.hpp"

namespace specroute::sim {

/// More tokens than any model's context: a count beyond it is a mistake.
inline constexpr std::uint64_t kMostTokens = 10'000'000;

/// A row as it stands in the file. Texts point into the line.
struct TraceRow {
  double at_s = 0.0;  ///< from the beginning of the trace
  std::uint32_t prompt_tokens = 0;
  std::uint32_t output_tokens = 0;
  std::string_view of;       ///< class or model; empty: of none
  std::string_view session;  ///< empty: of none
  std::string_view tenant;   ///< likewise
  std::vector<models::BlockHash> hashes;
};

/// What is wrong with a line, and where in it.
struct LineFault {
  std::size_t column;  ///< in bytes, from 1
  std::string expected;
  std::string found;
};

class RowReader {
 public:
  virtual ~RowReader() = default;
  /// Whether the first line says what the columns are.
  [[nodiscard]] virtual bool has_header() const = 0;
  virtual std::optional<LineFault> read_header(std::string_view line) = 0;
  /// Overwrites every member of `row`. A fault leaves it half written.
  virtual std::optional<LineFault> read(std::string_view line, TraceRow& row) = 0;
  /// Which columns rows may fill besides times and lengths.
  [[nodiscard]] virtual bool has_sessions() const = 0;
  [[nodiscard]] virtual bool has_tenants() const = 0;
  [[nodiscard]] virtual bool has_prefixes() const = 0;
};

[[nodiscard]] std::unique_ptr<RowReader> row_reader(TraceFormat format);

/// Of the formats with columns: azure, burstgpt, specroute.
[[nodiscard]] std::unique_ptr<RowReader> csv_rows(TraceFormat format);
[[nodiscard]] std::unique_ptr<RowReader> mooncake_rows();

/// What a message shows of a piece of the file: in quotes, printable, at most 40 bytes.
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace specroute::sim
