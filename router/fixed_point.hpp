/// @file
/// Logarithms and roots in integers: the same bits on every machine.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "router/counts.hpp"

namespace specroute::router {

/// Numbers with 60 binary places.
constexpr Wide kOneQ60 = Wide{1} << 60U;

/// ln((2 i + 129) / 128) with 60 binary places, for i below 64: of the middles of 64 parts of [1,
/// 2).
/// @source ln(a / b) = 2 artanh((a - b) / (a + b)), whose series ends soon.
constexpr std::array<std::int64_t, 64> kLnOfMiddle = [] {
  std::array<std::int64_t, 64> table{};
  for (int i = 0; i < 64; ++i) {
    const Wide z = kOneQ60 * (2 * i + 1) / (2 * i + 257);
    Wide power = z;
    Wide sum = 0;
    for (int n = 1; n < 45; n += 2) {
      sum += power / n;
      power = (((power * z) >> 60U) * z) >> 60U;
    }
    table[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(2 * sum);
  }
  return table;
}();

/// 128 / (2 i + 129) with 62 binary places: dividing by the middle is multiplying by this.
constexpr std::array<std::int64_t, 64> kOverMiddle = [] {
  std::array<std::int64_t, 64> table{};
  for (int i = 0; i < 64; ++i)
    table[static_cast<std::size_t>(i)] =
        static_cast<std::int64_t>((Wide{128} << 62U) / (2 * i + 129));
  return table;
}();

/// ln of a number in [1, 2) with 60 binary places, in the same. Error below 2^-29.
inline std::int64_t ln_q60(std::int64_t mantissa) {
  const auto part = static_cast<std::size_t>((mantissa >> 54U) & 63);
  // Over the middle it is 1 + e, |e| < 2^-7: three terms of the series of ln(1 + e).
  const auto e = static_cast<std::int64_t>(((Wide{mantissa} * kOverMiddle[part]) >> 62U) - kOneQ60);
  const auto times = [e](std::int64_t factor) {
    return static_cast<std::int64_t>((Wide{factor} * e) >> 60U);
  };
  constexpr auto kOne = static_cast<std::int64_t>(kOneQ60);
  const std::int64_t series = times(kOne - times(kOne / 2 - times(kOne / 3)));
  return kLnOfMiddle[part] + series;
}

/// ln(numerator / denominator) in millionths, both > 0 and below 2^62. Error below 3e-6.
inline std::int64_t micro_ln(std::uint64_t numerator, std::uint64_t denominator) {
  // Both as mantissas in [1, 2); their exponents make the whole part.
  const int up = std::countl_zero(numerator);
  const int down = std::countl_zero(denominator);
  const std::uint64_t above = numerator << static_cast<unsigned>(up);
  const std::uint64_t below = denominator << static_cast<unsigned>(down);
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63U;
  Wide mantissa = below == kHalf ? Wide{above >> 3U} : (Wide{above} << 60U) / Wide{below};
  std::int64_t exponent = down - up;
  if (mantissa < kOneQ60) {
    mantissa *= 2;
    --exponent;
  }
  constexpr std::int64_t kLn2Q60 = 799'144'290'325'165'979;
  const Wide ln = Wide{exponent} * kLn2Q60 + ln_q60(static_cast<std::int64_t>(mantissa));
  return static_cast<std::int64_t>(ln * 1'000'000 / kOneQ60);
}

/// floor(sqrt(value)) by bits: for the table alone.
constexpr std::uint64_t root_by_bits(std::uint64_t value) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31U; bit != 0; bit >>= 1U)
    if ((root | bit) * (root | bit) <= value) root |= bit;
  return root;
}

/// Roots of i * 2^56 for i from 64 to 256, the last of them cut to 32 bits.
constexpr std::array<std::uint32_t, 193> kRoots = [] {
  std::array<std::uint32_t, 193> table{};
  for (std::uint64_t i = 64; i < 256; ++i)
    table[i - 64] = static_cast<std::uint32_t>(root_by_bits(i << 56U));
  table[192] = UINT32_MAX;
  return table;
}();

/// Largest integer whose square is at most `value`.
/// @source one step of Newton's iteration, from a line between two roots of the table; it leaves
/// the last bits of 32, of which a shorter root has none.
inline std::uint64_t whole_root(std::uint64_t value) {
  if (value == 0) return 0;
  const auto shift = static_cast<unsigned>(std::countl_zero(value)) & ~1U;
  const std::uint64_t scaled = value << shift;
  const std::size_t part = (scaled >> 56U) - 64;
  const std::uint64_t low = kRoots[part];
  const std::uint64_t between = (scaled >> 40U) & 0xffffU;
  std::uint64_t root = low + ((kRoots[part + 1] - low) * between >> 16U);
  root = ((root + scaled / root) / 2) >> (shift / 2);
  constexpr std::uint64_t kMost = UINT32_MAX;
  if (root > kMost) root = kMost;
  while (root * root > value) --root;
  while (root < kMost && (root + 1) * (root + 1) <= value) ++root;
  return root;
}

}  // namespace specroute::router
