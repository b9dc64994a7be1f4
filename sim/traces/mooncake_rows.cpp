// Mooncake's lines: one flat JSON object each, of four keys. A reader of its own, since a library's
// tree would take most of the time that a trace takes.
#include <array>
#include <charconv>

#include "sim/traces/comma_fields.hpp"
#include "sim/traces/row_reader.hpp"

namespace specroute::sim {
namespace {

constexpr std::array<std::string_view, 4> kKeys = {"timestamp", "input_length", "output_length",
                                                   "hash_ids"};

/// A place in a line, with the marks of JSON.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : line_(line) {}

  void skip_space() {
    while (place_ < line_.size() && (line_[place_] == ' ' || line_[place_] == '\t')) ++place_;
  }
  /// Takes `mark` after any space.
  bool take(char mark) {
    skip_space();
    if (place_ >= line_.size() || line_[place_] != mark) return false;
    ++place_;
    return true;
  }
  /// The text of a string without escapes.
  std::optional<std::string_view> string() {
    if (!take('"')) return std::nullopt;
    const std::size_t end = line_.find_first_of("\"\\", place_);
    if (end == std::string_view::npos || line_[end] != '"') return std::nullopt;
    const std::string_view text = line_.substr(place_, end - place_);
    place_ = end + 1;
    return text;
  }
  /// The characters that a number may have.
  std::string_view number() {
    skip_space();
    const std::size_t end =
        std::min(line_.find_first_not_of("+-.0123456789eE", place_), line_.size());
    const std::string_view text = line_.substr(place_, end - place_);
    place_ = end;
    return text;
  }
  [[nodiscard]] std::size_t column() const { return place_ + 1; }
  [[nodiscard]] std::string rest() const {
    return place_ < line_.size() ? shown(line_.substr(place_)) : "the end of the line";
  }
  LineFault fault(std::string expected) const { return {column(), std::move(expected), rest()}; }

 private:
  std::string_view line_;
  std::size_t place_ = 0;
};

class MooncakeRows final : public RowReader {
 public:
  [[nodiscard]] bool has_header() const override { return false; }
  [[nodiscard]] bool has_sessions() const override { return false; }
  [[nodiscard]] bool has_tenants() const override { return false; }
  [[nodiscard]] bool has_prefixes() const override { return true; }
  std::optional<LineFault> read_header(std::string_view) override { return std::nullopt; }

  std::optional<LineFault> read(std::string_view line, TraceRow& row) override {
    row.of = row.session = row.tenant = {};
    row.hashes.clear();
    Cursor cursor(line);
    if (!cursor.take('{')) return cursor.fault("an object {...}");
    std::array<bool, kKeys.size()> seen{};
    do {
      if (auto fault = read_member(cursor, seen, row)) return fault;
    } while (cursor.take(','));
    if (!cursor.take('}')) return cursor.fault("a comma or }");
    cursor.skip_space();
    if (cursor.column() <= line.size()) return cursor.fault("the end of the line");
    for (std::size_t key = 0; key < kKeys.size(); ++key)
      if (!seen[key])
        return LineFault{line.size(), "a key \"" + std::string(kKeys[key]) + "\"", "none"};
    return std::nullopt;
  }

 private:
  static std::optional<LineFault> read_member(Cursor& cursor, std::array<bool, kKeys.size()>& seen,
                                              TraceRow& row) {
    cursor.skip_space();
    const std::size_t column = cursor.column();
    const auto key = cursor.string();
    if (!key) return cursor.fault("a key");
    std::size_t index = 0;
    while (index < kKeys.size() && kKeys[index] != *key) ++index;
    if (index == kKeys.size())
      return LineFault{column, "one of the keys timestamp, input_length, output_length, hash_ids",
                       shown(*key)};
    if (seen[index]) return LineFault{column, "each key once", shown(*key) + " again"};
    seen[index] = true;
    if (!cursor.take(':')) return cursor.fault("a colon");
    if (index == 0) return read_timestamp(cursor, row);
    if (index == 1) return read_count(cursor, row.prompt_tokens);
    if (index == 2) return read_count(cursor, row.output_tokens);
    return read_hashes(cursor, row);
  }

  static std::optional<LineFault> read_timestamp(Cursor& cursor, TraceRow& row) {
    cursor.skip_space();
    const LineFault fault = cursor.fault("a time of at least 0, in milliseconds");
    const auto milliseconds = real_number(cursor.number());
    if (!milliseconds) return fault;
    row.at_s = *milliseconds / 1e3;
    return std::nullopt;
  }

  static std::optional<LineFault> read_count(Cursor& cursor, std::uint32_t& into) {
    cursor.skip_space();
    const std::size_t column = cursor.column();
    const std::string found = cursor.rest();
    const auto count = whole_number(cursor.number(), kMostTokens);
    if (!count)
      return LineFault{column, "a whole number of tokens up to " + std::to_string(kMostTokens),
                       found};
    into = static_cast<std::uint32_t>(*count);
    return std::nullopt;
  }

  static std::optional<LineFault> read_hashes(Cursor& cursor, TraceRow& row) {
    constexpr std::uint64_t kMost = (std::uint64_t{1} << 63U) - 1;
    if (!cursor.take('[')) return cursor.fault("an array of block hashes");
    if (cursor.take(']')) return std::nullopt;
    do {
      cursor.skip_space();
      const std::size_t column = cursor.column();
      const auto hash = whole_number(cursor.number(), kMost);
      if (!hash) return LineFault{column, "a block hash, a whole number below 2^63", cursor.rest()};
      row.hashes.push_back(*hash);
    } while (cursor.take(','));
    if (!cursor.take(']')) return cursor.fault("a comma or ]");
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<RowReader> mooncake_rows() {
  return std::make_unique<MooncakeRows>();
}

}  // namespace specroute::sim
