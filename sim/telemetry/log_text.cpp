#include "sim/telemetry/log_text.hpp"

#include <charconv>
#include <cmath>

namespace specroute::sim {
namespace {

constexpr double kBeyondLogCounts = 1099511627776.0;  // 2^40: the bound of a window's counts

}  // namespace

std::string without_colours(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    const std::size_t escape = line.find("\x1b[");
    out += line.substr(0, escape);
    if (escape == std::string_view::npos) break;
    line.remove_prefix(escape + 2);
    const std::size_t end = line.find_first_not_of("0123456789;");
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  }
  return out;
}

std::optional<UnixTime> take_front_date(std::string_view& line) {
  const std::size_t end = line.find(' ');
  const auto date = parse_date(line.substr(0, end));
  if (date) line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  return date;
}

std::optional<double> take_real(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  double value = 0.0;
  const auto read =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (read.ec != std::errc{} || !std::isfinite(value) || value < 0.0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return value;
}

std::optional<double> real_after(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(at + key.size());
  return take_real(rest);
}

std::optional<std::uint64_t> whole_after(std::string_view line, std::string_view key) {
  const auto value = real_after(line, key);
  if (!value || *value >= kBeyondLogCounts || *value != std::floor(*value)) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

std::vector<double> take_reals(std::string_view text) {
  std::vector<double> values;
  while (const auto value = take_real(text)) {
    values.push_back(*value);
    if (!text.starts_with(',')) break;
    text.remove_prefix(1);
  }
  return values;
}

std::vector<std::uint64_t> counts_of_rates(const std::vector<double>& rates, std::uint64_t steps) {
  std::vector<std::uint64_t> counts;
  for (const double rate : rates)
    counts.push_back(
        static_cast<std::uint64_t>(std::floor(rate * static_cast<double>(steps) + 0.5)));
  return counts;
}

}  // namespace specroute::sim
