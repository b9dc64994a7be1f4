#include "sim/records/date_text.hpp"

#include <charconv>
#include <cstdint>
#include <limits>

namespace specroute::sim {
namespace {

constexpr int kDecimals = 9;
constexpr srp_ns kSecond = 1'000'000'000;

/// A decimal number without its point: `digits` times ten to the power of `exponent`.
struct Decimal {
  std::string digits;
  std::int64_t exponent = 0;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::optional<Decimal> decimal_of(std::string_view text) {
  Decimal decimal;
  std::size_t at = 0;
  bool after_point = false;
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !after_point)); ++at) {
    if (text[at] == '.') {
      after_point = true;
      continue;
    }
    decimal.digits += text[at];
    if (after_point) --decimal.exponent;
  }
  if (decimal.digits.empty()) return std::nullopt;
  if (at == text.size()) return decimal;
  if (text[at] != 'e' && text[at] != 'E') return std::nullopt;
  text.remove_prefix(at + 1);
  if (text.starts_with('+')) text.remove_prefix(1);
  int power = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), power);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  decimal.exponent += power;
  return decimal;
}

}  // namespace

std::string seconds_text(srp_ns date) {
  std::string text = std::to_string(date / kSecond);
  std::string fraction = std::to_string(date % kSecond);
  if (fraction == "0") return text;
  fraction.insert(0, static_cast<std::size_t>(kDecimals) - fraction.size(), '0');
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return text + "." + fraction;
}

std::optional<srp_ns> nanoseconds_of(std::string_view seconds) {
  const auto decimal = decimal_of(seconds);
  if (!decimal) return std::nullopt;
  // Digits that stand for whole nanoseconds; the one behind them rounds.
  const std::int64_t whole =
      static_cast<std::int64_t>(decimal->digits.size()) + decimal->exponent + kDecimals;
  constexpr srp_ns kLargest = std::numeric_limits<srp_ns>::max();
  srp_ns date = 0;
  const auto digit = [&](std::int64_t place) -> srp_ns {
    const bool written = place >= 0 && place < static_cast<std::int64_t>(decimal->digits.size());
    return written ? static_cast<srp_ns>(decimal->digits[static_cast<std::size_t>(place)] - '0')
                   : 0;
  };
  const std::size_t first = decimal->digits.find_first_not_of('0');
  if (first == std::string::npos) return 0;
  for (auto place = static_cast<std::int64_t>(first); place < whole; ++place) {
    if (date > (kLargest - digit(place)) / 10) return std::nullopt;
    date = date * 10 + digit(place);
  }
  if (digit(whole) < 5) return date;
  if (date == kLargest) return std::nullopt;
  return date + 1;
}

}  // namespace specroute::sim
