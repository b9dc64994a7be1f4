#include "sim/scenario/fixed_text.hpp"

#include <charconv>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {

std::string fixed_text(std::optional<double> value, int decimals) {
  if (!value) return "-";
  char text[400];
  const auto end =
      std::to_chars(text, text + sizeof text, *value, std::chars_format::fixed, decimals);
  check(end.ec == std::errc{}, "the longest double has room");
  const std::string result(text, end.ptr);
  const bool is_zero = result.find_first_of("123456789ni") == std::string::npos;
  return is_zero && result.starts_with('-') ? result.substr(1) : result;
}

}  // namespace specroute::sim
