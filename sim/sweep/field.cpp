#include "sim/sweep/field.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"

namespace specroute::sim {
namespace {

/// Ten significant digits: a value reads as it was meant, 0.15 and not 0.15000000000000002.
double to_ten_digits(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, 9);
  double rounded = value;
  std::from_chars(text, end.ptr, rounded);
  return rounded;
}

JsonValue number(double value, bool whole) {
  JsonValue json(whole ? JsonValue::Kind::integer : JsonValue::Kind::real);
  if (whole)
    json.integer = std::llround(value);
  else
    json.real = to_ten_digits(value);
  return json;
}

double along(const SweepField::Range& range, double share) {
  if (!range.logarithmic) return range.from + (range.to - range.from) * share;
  return range.from * models::portable::pow(range.to / range.from, share);
}

}  // namespace

JsonValue grid_value(const SweepField& field, std::size_t k) {
  check(k < field.grid_size(), "a grid has that value");
  if (field.is_list()) return field.values[k];
  const auto& range = field.range;
  const double share =
      range.steps == 1 ? 0.0 : static_cast<double>(k) / static_cast<double>(range.steps - 1);
  return number(k + 1 == range.steps && k > 0 ? range.to : along(range, share), range.whole);
}

JsonValue value_at(const SweepField& field, double share) {
  check(share >= 0.0 && share < 1.0, "a share of the way is in [0, 1)");
  if (!field.is_list()) return number(along(field.range, share), field.range.whole);
  const auto count = static_cast<double>(field.values.size());
  return field.values[std::min(field.values.size() - 1, static_cast<std::size_t>(share * count))];
}

}  // namespace specroute::sim
