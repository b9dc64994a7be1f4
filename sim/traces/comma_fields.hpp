/// @file
/// Fields of a line between commas, and the numbers in them. There is no quoting in these formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace specroute::sim {

/// Walks over the fields of a line; a line without a comma is one field.
class CommaFields {
 public:
  explicit CommaFields(std::string_view line) : line_(line) {}

  /// The next field; false after the last.
  [[nodiscard]] bool next(std::string_view& field);
  /// Of the last field, or of the line's end after it: in bytes, from 1.
  [[nodiscard]] std::size_t column() const { return column_; }

 private:
  std::string_view line_;
  std::size_t place_ = 0;
  std::size_t column_ = 1;
  bool ended_ = false;
};

/// All of `text` as a whole number in [0, most], in digits alone.
[[nodiscard]] std::optional<std::uint64_t> whole_number(std::string_view text, std::uint64_t most);

/// All of `text` as a finite number >= 0.
[[nodiscard]] std::optional<double> real_number(std::string_view text);

/// Bytes of `text` before the first that is no UTF-8; its size where all are.
[[nodiscard]] std::size_t utf8_bytes(std::string_view text);

}  // namespace specroute::sim
