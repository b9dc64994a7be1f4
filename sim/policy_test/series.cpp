#include "sim/policy_test/series.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace specroute::sim {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 40;

Diagnostic fault(std::string expected, std::string found) {
  return {.file = {},
          .place = {},
          .expected = std::move(expected),
          .found = std::move(found),
          .nearest = {}};
}

/// Takes a whole number of 0 to 2^40 off the front.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc{} || number < 0 || number > kLargest || text.front() == '-')
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return number;
}

/// One part: `value`, and `step` more each time.
struct Part {
  std::optional<std::int64_t> value;
  std::int64_t step = 0;
  std::int64_t count = 1;
};

std::optional<std::int64_t> take_step(std::string_view& text) {
  const bool down = text.front() == '-';
  text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  const auto step = take_number(text);
  if (!step) return std::nullopt;
  return down ? -*step : *step;
}

/// "x10"
std::optional<std::int64_t> count_of(std::string_view text) {
  if (!text.starts_with('x') || text.size() < 2) return std::nullopt;
  text.remove_prefix(1);
  const auto count = take_number(text);
  return text.empty() && count != 0 ? count : std::nullopt;
}

std::optional<Part> part_of(std::string_view text) {
  Part part;
  if (text.starts_with('_')) {
    text.remove_prefix(1);
  } else {
    part.value = take_number(text);
    if (!part.value) return std::nullopt;
  }
  const bool steps = text.starts_with('+') || text.starts_with('-');
  if (steps) {
    const auto step = part.value ? take_step(text) : std::nullopt;
    if (!step || text.empty()) return std::nullopt;  // a step without a count says nothing
    part.step = *step;
  }
  const auto count = text.empty() ? std::optional(part.count) : count_of(text);
  if (!count) return std::nullopt;
  part.count = *count;
  return part;
}

/// Appends a part. @return whether every value of it is in range
bool append(const Part& part, Series& series) {
  for (std::int64_t i = 0; i < part.count; ++i) {
    series.push_back(part.value);
    if (!part.value) continue;
    // |i| < 2^17 and |step| <= 2^40, so nothing overflows.
    const std::int64_t value = *part.value + i * part.step;
    if (value < 0 || value > kLargest) return false;
    series.back() = value;
  }
  return true;
}

}  // namespace

Result<Series> parse_series(const std::string& text) {
  Series series;
  for (std::size_t at = text.find_first_not_of(' '); at != std::string::npos;) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const auto part = part_of(word);
    if (!part) return fault("counts as \"48x10\", \"41+1x5\", \"_x3\" or \"48\"", quoted(word));
    if (series.size() + static_cast<std::size_t>(part->count) > kLongestSeries)
      return fault("a series of at most 100000 counts", quoted(word));
    if (!append(*part, series)) return fault("counts from 0 to 2^40", quoted(word));
    at = text.find_first_not_of(' ', end);
  }
  if (series.empty()) return fault("counts as \"48x10\"", quoted(text));
  return series;
}

Result<GivenSeries> series_of(const JsonValue& value) {
  if (value.kind == JsonValue::Kind::integer) {
    if (value.integer < 0 || value.integer > kLargest)
      return fault("a count from 0 to 2^40", found_text(value));
    return GivenSeries{.values = {value.integer}, .constant = true};
  }
  auto series = parse_series(value.text);
  if (!series) return series.diagnostics();
  return GivenSeries{.values = std::move(series).value(), .constant = false};
}

}  // namespace specroute::sim
