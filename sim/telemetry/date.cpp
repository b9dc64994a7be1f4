#include "sim/telemetry/date.hpp"

#include <chrono>
#include <cstdio>

namespace specroute::sim {
namespace {

constexpr std::int64_t kLastYear = 2199;
constexpr std::uint64_t kLastSecond = 7'258'118'399;  // of 2199

/// Takes exactly `digits` digits off the front.
bool take_number(std::string_view& text, std::size_t digits, int& into) {
  if (text.size() < digits) return false;
  into = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    into = into * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return true;
}

bool take_mark(std::string_view& text, std::string_view marks) {
  if (text.empty() || marks.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

/// Digits after a point as nanoseconds; the point was taken.
bool take_fraction_ns(std::string_view& text, std::uint32_t& into) {
  std::size_t digits = 0;
  into = 0;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1))
    if (digits++ < 9) into = into * 10 + static_cast<std::uint32_t>(text.front() - '0');
  for (std::size_t held = digits; held < 9; ++held) into *= 10;
  return digits > 0;
}

bool take_zone(std::string_view& text, std::int64_t& offset_s) {
  if (take_mark(text, "Zz")) return true;
  const bool behind = text.starts_with('-');
  int hours = 0;
  int minutes = 0;
  if (!take_mark(text, "+-") || !take_number(text, 2, hours)) return false;
  take_mark(text, ":");
  if (!take_number(text, 2, minutes) || hours > 23 || minutes > 59) return false;
  offset_s = (behind ? -1 : 1) * (hours * 3600 + minutes * 60);
  return true;
}

}  // namespace

std::optional<UnixTime> to_unix_time(const LocalTime& local, std::int64_t utc_offset_s) {
  const std::chrono::year_month_day date{std::chrono::year{local.year},
                                         std::chrono::month{static_cast<unsigned>(local.month)},
                                         std::chrono::day{static_cast<unsigned>(local.day)}};
  if (local.year < 1970 || local.year > kLastYear || local.month < 0 || local.day < 0 ||
      !date.ok() || local.hour > 23 || local.minute > 59 || local.second > 59)
    return std::nullopt;
  const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
  const std::int64_t seconds =
      ((days * 24 + local.hour) * 60 + local.minute) * 60 + local.second - utc_offset_s;
  if (seconds < 0) return std::nullopt;
  return static_cast<UnixTime>(seconds) * kNanosecondsPerSecond + local.nanosecond;
}

std::optional<UnixTime> parse_date(std::string_view text) {
  LocalTime local;
  std::int64_t offset_s = 0;
  const bool day = take_number(text, 4, local.year) && take_mark(text, "-") &&
                   take_number(text, 2, local.month) && take_mark(text, "-") &&
                   take_number(text, 2, local.day);
  const bool time = day && take_mark(text, "Tt ") && take_number(text, 2, local.hour) &&
                    take_mark(text, ":") && take_number(text, 2, local.minute) &&
                    take_mark(text, ":") && take_number(text, 2, local.second);
  if (!time) return std::nullopt;
  if (take_mark(text, ".,") && !take_fraction_ns(text, local.nanosecond)) return std::nullopt;
  if (!take_zone(text, offset_s) || !text.empty()) return std::nullopt;
  return to_unix_time(local, offset_s);
}

std::optional<UnixTime> parse_unix_seconds(std::string_view text) {
  std::uint64_t seconds = 0;
  std::size_t digits = 0;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1)) {
    seconds = seconds * 10 + static_cast<std::uint64_t>(text.front() - '0');
    if (++digits > 10) return std::nullopt;
  }
  std::uint32_t fraction = 0;
  if (digits == 0 || seconds > kLastSecond) return std::nullopt;
  if (take_mark(text, ".") && !take_fraction_ns(text, fraction)) return std::nullopt;
  if (!text.empty()) return std::nullopt;
  return seconds * kNanosecondsPerSecond + fraction;
}

std::string format_date(UnixTime date) {
  const auto second = static_cast<std::int64_t>(date / kNanosecondsPerSecond);
  const auto days = second / 86'400;
  const auto in_day = static_cast<int>(second % 86'400);
  const std::chrono::year_month_day day{
      std::chrono::sys_days{std::chrono::days{static_cast<int>(days)}}};
  char text[48];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()), in_day / 3600,
                in_day / 60 % 60, in_day % 60);
  std::string out = text;
  if (const auto fraction = date % kNanosecondsPerSecond; fraction != 0) {
    const std::string digits = std::to_string(kNanosecondsPerSecond + fraction).substr(1);
    out += '.' + digits.substr(0, digits.find_last_not_of('0') + 1);
  }
  return out + 'Z';
}

}  // namespace specroute::sim
