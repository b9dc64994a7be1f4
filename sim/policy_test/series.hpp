/// @file
/// Series of counts in shorthand: "48x10", "41+1x5", "_x3", joined by spaces.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <specroute/vocab/result.hpp>

#include "sim/json/json_value.hpp"

namespace specroute::sim {

/// One count per event; none where an event does not come.
using Series = std::vector<std::optional<std::int64_t>>;

/// Longest series, all parts together.
inline constexpr std::size_t kLongestSeries = 100'000;

/// A part is VALUE, VALUExN, VALUE+STEPxN or VALUE-STEPxN, with "_" for the value of an event that
/// does not come; N is how many events there are (not, as promtool has it, how many follow the
/// first). Values are integers from 0 to 2^40. The diagnostic's file and place are left empty.
[[nodiscard]] Result<Series> parse_series(const std::string& text);

/// The same of a JSON value: a text, or an integer, which stands for any number of events alike.
struct GivenSeries {
  Series values;
  bool constant = false;  ///< `values` has one element, for every event
};
[[nodiscard]] Result<GivenSeries> series_of(const JsonValue& value);

}  // namespace specroute::sim
