#include "sim/traces/comma_fields.hpp"

#include <charconv>
#include <cmath>

namespace specroute::sim {

bool CommaFields::next(std::string_view& field) {
  column_ = place_ + 1;
  if (ended_) return false;
  const std::size_t comma = line_.find(',', place_);
  ended_ = comma == std::string_view::npos;
  field = line_.substr(place_, ended_ ? comma : comma - place_);
  place_ = ended_ ? line_.size() : comma + 1;
  return true;
}

std::optional<std::uint64_t> whole_number(std::string_view text, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = read.ec == std::errc{} && read.ptr == text.data() + text.size();
  return whole && value <= most ? std::optional(value) : std::nullopt;
}

std::optional<double> real_number(std::string_view text) {
  double value = 0.0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = read.ec == std::errc{} && read.ptr == text.data() + text.size();
  return whole && std::isfinite(value) && value >= 0.0 ? std::optional(value) : std::nullopt;
}

}  // namespace specroute::sim
