#include "sim/traces/comma_fields.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace specroute::sim {
namespace {

/// What may follow a byte of [from, to], which begins a character of `length` bytes.
/// @source The Unicode Standard 15.0, table 3-7.
struct Utf8Form {
  unsigned char from;
  unsigned char to;
  std::size_t length;
  unsigned char second_from = 0x80;
  unsigned char second_to = 0xBF;
};
constexpr std::array kForms = {
    Utf8Form{0x00, 0x7F, 1},
    Utf8Form{0xC2, 0xDF, 2},
    Utf8Form{0xE0, 0xE0, 3, 0xA0, 0xBF},
    Utf8Form{0xE1, 0xEC, 3},
    Utf8Form{0xED, 0xED, 3, 0x80, 0x9F},
    Utf8Form{0xEE, 0xEF, 3},
    Utf8Form{0xF0, 0xF0, 4, 0x90, 0xBF},
    Utf8Form{0xF1, 0xF3, 4},
    Utf8Form{0xF4, 0xF4, 4, 0x80, 0x8F},
};

bool begins(std::string_view text, const Utf8Form& form) {
  const auto within = [text](std::size_t place, unsigned char from, unsigned char to) {
    const auto byte = static_cast<unsigned char>(text[place]);
    return from <= byte && byte <= to;
  };
  if (text.size() < form.length || !within(0, form.from, form.to)) return false;
  if (form.length > 1 && !within(1, form.second_from, form.second_to)) return false;
  for (std::size_t i = 2; i < form.length; ++i)
    if (!within(i, 0x80, 0xBF)) return false;
  return true;
}

}  // namespace

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

std::size_t utf8_bytes(std::string_view text) {
  std::size_t place = 0;
  while (place < text.size()) {
    const std::string_view rest = text.substr(place);
    const auto* const form =
        std::ranges::find_if(kForms, [rest](const Utf8Form& one) { return begins(rest, one); });
    if (form == kForms.end()) return place;
    place += form->length;
  }
  return place;
}

}  // namespace specroute::sim
