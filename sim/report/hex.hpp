/// @file
/// Sixty-four bits as text.
#pragma once

#include <cstdint>
#include <string>

namespace specroute::sim {

/// 16 lower-case hex digits: JSON readers round integers beyond 2^53.
[[nodiscard]] inline std::string hex_digits(std::uint64_t word) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; word >>= 4U) text[i] = "0123456789abcdef"[word & 15U];
  return text;
}

}  // namespace specroute::sim
