// Formats with columns. The header says which columns there are, in any order.
#include <algorithm>
#include <array>
#include <span>

#include <specroute/vocab/check.hpp>

#include "sim/traces/comma_fields.hpp"
#include "sim/traces/row_reader.hpp"
#include "sim/traces/wall_clock.hpp"

namespace specroute::sim {
namespace {

/// What a column holds.
enum class Holds : std::uint8_t {
  wall_clock,
  seconds,
  prompt,
  output,
  of,
  session,
  tenant,
  prefix,
  nothing_of_ours,
};

struct Column {
  std::string_view name;
  Holds holds;
  bool required;
};

constexpr std::array kAzure = {Column{"TIMESTAMP", Holds::wall_clock, true},
                               Column{"ContextTokens", Holds::prompt, true},
                               Column{"GeneratedTokens", Holds::output, true}};
constexpr std::array kBurstGpt = {Column{"Timestamp", Holds::seconds, true},
                                  Column{"Session ID", Holds::session, false},
                                  Column{"Elapsed time", Holds::nothing_of_ours, false},
                                  Column{"Model", Holds::of, true},
                                  Column{"Request tokens", Holds::prompt, true},
                                  Column{"Response tokens", Holds::output, true},
                                  Column{"Total tokens", Holds::nothing_of_ours, false},
                                  Column{"Log Type", Holds::nothing_of_ours, false}};
constexpr std::array kSpecroute = {
    Column{"arrival_s", Holds::seconds, true},    Column{"class", Holds::of, false},
    Column{"prompt_tokens", Holds::prompt, true}, Column{"output_tokens", Holds::output, true},
    Column{"session", Holds::session, false},     Column{"tenant", Holds::tenant, false},
    Column{"prefix", Holds::prefix, false}};

std::span<const Column> columns_of(TraceFormat format) {
  switch (format) {
    case TraceFormat::azure:
      return kAzure;
    case TraceFormat::burstgpt:
      return kBurstGpt;
    case TraceFormat::specroute:
      return kSpecroute;
    case TraceFormat::mooncake:
      break;
  }
  check(false, "this format has columns");
  return {};
}

std::string names(std::span<const Column> columns) {
  std::string text;
  for (const Column& column : columns)
    text += (text.empty() ? "" : ", ") + std::string(column.name);
  return text;
}

std::string a_count() {
  return "a whole number of tokens up to " + std::to_string(kMostTokens);
}

class CsvRows final : public RowReader {
 public:
  explicit CsvRows(TraceFormat format) : known_(columns_of(format)) {}

  [[nodiscard]] bool has_header() const override { return true; }
  [[nodiscard]] bool has_sessions() const override { return has(Holds::session); }
  [[nodiscard]] bool has_tenants() const override { return has(Holds::tenant); }
  [[nodiscard]] bool has_prefixes() const override { return has(Holds::prefix); }

  std::optional<LineFault> read_header(std::string_view line) override {
    CommaFields fields(line);
    std::string_view name;
    while (fields.next(name)) {
      const auto* const column = std::ranges::find(known_, name, &Column::name).base();
      if (column == known_.data() + known_.size())
        return LineFault{fields.column(), "one of the columns " + names(known_), shown(name)};
      if (std::ranges::find(header_, column) != header_.end())
        return LineFault{fields.column(), "each column once", shown(name) + " again"};
      header_.push_back(column);
    }
    for (const Column& column : known_)
      if (column.required && std::ranges::find(header_, &column) == header_.end())
        return LineFault{1, "a column " + std::string(column.name), "none in " + shown(line)};
    return std::nullopt;
  }

  std::optional<LineFault> read(std::string_view line, TraceRow& row) override {
    row.of = row.session = row.tenant = {};
    row.hashes.clear();
    CommaFields fields(line);
    std::string_view text;
    std::size_t count = 0;
    for (; count < header_.size() && fields.next(text); ++count)
      if (auto fault = read_field(*header_[count], text, row)) {
        fault->column += fields.column() - 1;
        return fault;
      }
    if (count < header_.size())
      return LineFault{line.size() + 1, std::to_string(header_.size()) + " fields",
                       line.empty() ? "an empty line" : std::to_string(count)};
    if (fields.next(text))
      return LineFault{fields.column(), std::to_string(header_.size()) + " fields", "more"};
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool has(Holds what) const {
    return std::ranges::any_of(header_, [what](const Column* c) { return c->holds == what; });
  }

  /// Columns of the fault count from the field's beginning.
  std::optional<LineFault> read_field(const Column& column, std::string_view text, TraceRow& row) {
    switch (column.holds) {
      case Holds::wall_clock:
        return read_wall_clock(text, row);
      case Holds::seconds: {
        const auto seconds = real_number(text);
        if (!seconds) return LineFault{1, "a time of at least 0, in seconds", shown(text)};
        row.at_s = *seconds;
        return std::nullopt;
      }
      case Holds::prompt:
        return read_count(text, row.prompt_tokens);
      case Holds::output:
        return read_count(text, row.output_tokens);
      case Holds::of:
        return read_text(text, row.of);
      case Holds::session:
        return read_text(text, row.session);
      case Holds::tenant:
        return read_text(text, row.tenant);
      case Holds::prefix:
        return read_hashes(text, row.hashes);
      case Holds::nothing_of_ours:
        return std::nullopt;
    }
    return std::nullopt;
  }

  /// Times count from the first row's.
  std::optional<LineFault> read_wall_clock(std::string_view text, TraceRow& row) {
    const auto ticks = wall_clock_ticks(text);
    if (!ticks) return LineFault{1, "a time YYYY-MM-DD hh:mm:ss.fffffff", shown(text)};
    if (!origin_) origin_ = ticks;
    row.at_s = static_cast<double>(*ticks - *origin_) / kTicksPerSecond;
    return std::nullopt;
  }

  static std::optional<LineFault> read_count(std::string_view text, std::uint32_t& into) {
    const auto count = whole_number(text, kMostTokens);
    if (!count) return LineFault{1, a_count(), shown(text)};
    into = static_cast<std::uint32_t>(*count);
    return std::nullopt;
  }

  static std::optional<LineFault> read_text(std::string_view text, std::string_view& into) {
    if (text.starts_with('"')) return LineFault{1, "a text without quotes", shown(text)};
    const std::size_t good = utf8_bytes(text);
    if (good < text.size()) return LineFault{good + 1, "a text in UTF-8", shown(text.substr(good))};
    into = text;
    return std::nullopt;
  }

  /// Whole numbers below 2^63, a space between each two.
  static std::optional<LineFault> read_hashes(std::string_view text,
                                              std::vector<models::BlockHash>& into) {
    constexpr std::uint64_t kMost = (std::uint64_t{1} << 63U) - 1;
    std::size_t place = 0;
    while (place < text.size()) {
      const std::size_t gap = std::min(text.find(' ', place), text.size());
      const auto hash = whole_number(text.substr(place, gap - place), kMost);
      if (!hash)
        return LineFault{place + 1, "block hashes, whole numbers below 2^63 with a space between",
                         shown(text.substr(place))};
      into.push_back(*hash);
      place = gap + 1;
    }
    return std::nullopt;
  }

  std::span<const Column> known_;
  std::vector<const Column*> header_;
  std::optional<std::int64_t> origin_;
};

}  // namespace

std::unique_ptr<RowReader> csv_rows(TraceFormat format) {
  return std::make_unique<CsvRows>(format);
}

}  // namespace specroute::sim
