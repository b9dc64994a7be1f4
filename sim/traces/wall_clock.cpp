#include "sim/traces/wall_clock.hpp"

#include <array>
#include <chrono>

namespace specroute::sim {
namespace {

/// Takes `digits` digits off the front; -1 where there are fewer.
int take_digits(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return -1;
  int value = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char mark) {
  if (!text.starts_with(mark)) return false;
  text.remove_prefix(1);
  return true;
}

/// A fraction of a second in units of 100 ns; none where there is no point.
std::optional<std::int64_t> take_fraction(std::string_view& text) {
  if (!take(text, '.')) return 0;
  constexpr std::size_t kMost = 9;
  constexpr std::size_t kKept = 7;
  std::int64_t ticks = 0;
  std::size_t digits = 0;
  while (digits < kMost && !text.empty() && text.front() >= '0' && text.front() <= '9') {
    if (digits < kKept) ticks = ticks * 10 + (text.front() - '0');
    text.remove_prefix(1);
    ++digits;
  }
  if (digits == 0) return std::nullopt;
  for (; digits < kKept; ++digits) ticks *= 10;
  return ticks;
}

}  // namespace

std::optional<std::int64_t> wall_clock_ticks(std::string_view text) {
  const int year = take_digits(text, 4);
  const bool first_dash = take(text, '-');
  const int month = take_digits(text, 2);
  const bool second_dash = take(text, '-');
  const int day = take_digits(text, 2);
  const bool gap = take(text, ' ');
  const int hour = take_digits(text, 2);
  const bool first_colon = take(text, ':');
  const int minute = take_digits(text, 2);
  const bool second_colon = take(text, ':');
  const int second = take_digits(text, 2);
  if (!first_dash || !second_dash || !gap || !first_colon || !second_colon) return std::nullopt;
  const auto fraction = take_fraction(text);
  const bool ends = text.empty() || text == "Z" || text == "+00:00";
  if (year < 1970 || month < 0 || day < 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
      second < 0 || second > 59 || !fraction || !ends)
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
  const std::int64_t seconds = ((days * 24 + hour) * 60 + minute) * 60 + second;
  return seconds * 10'000'000 + *fraction;
}

}  // namespace specroute::sim
