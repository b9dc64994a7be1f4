#include "sim/records/integer_text.hpp"

#include <charconv>
#include <limits>
#include <string_view>
#include <utility>

namespace specroute::sim {
namespace {

constexpr auto kLargestSigned =
    static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

/// None unless all of `digits` is a number in `base` that fits.
std::optional<std::uint64_t> number_of(std::string_view digits, int base) {
  std::uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

}  // namespace

JsonValue unsigned_json(std::uint64_t number) {
  if (number <= kLargestSigned) return integer_json(static_cast<std::int64_t>(number));
  JsonValue json(JsonValue::Kind::real);
  json.real = static_cast<double>(number);
  json.text = std::to_string(number);
  return json;
}

JsonValue integer_json(std::int64_t number) {
  JsonValue json(JsonValue::Kind::integer);
  json.integer = number;
  return json;
}

JsonValue text_json(std::string text) {
  JsonValue json(JsonValue::Kind::text);
  json.text = std::move(text);
  return json;
}

JsonValue truth_json(bool truth) {
  JsonValue json(JsonValue::Kind::boolean);
  json.boolean = truth;
  return json;
}

JsonValue hash_json(std::uint64_t hash) {
  std::string digits(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4U) digits[i] = "0123456789abcdef"[hash & 15U];
  return text_json(std::move(digits));
}

std::optional<std::uint64_t> unsigned_of(const JsonValue& value) {
  if (value.kind == JsonValue::Kind::integer) {
    if (value.integer < 0) return std::nullopt;
    return static_cast<std::uint64_t>(value.integer);
  }
  if (value.kind != JsonValue::Kind::real) return std::nullopt;
  return number_of(value.text, 10);
}

std::optional<std::uint64_t> hash_of(const JsonValue& value) {
  if (value.kind == JsonValue::Kind::text) return number_of(value.text, 16);
  return unsigned_of(value);
}

}  // namespace specroute::sim
