#include "models/speculation/coupled_match.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <specroute/vocab/check.hpp>

namespace specroute::models {
namespace {

constexpr unsigned kKeyBits = 32;
constexpr unsigned kDigitBits = 8;
constexpr std::uint64_t kToken = 0xFFFF;

// Bits of doubles above 0 order as integers do. The upper half is the key, the lower half the
// token.
std::uint64_t entry(double ratio, std::size_t token) {
  return (std::bit_cast<std::uint64_t>(ratio) >> kKeyBits << kKeyBits) | token;
}

// Radix sort by the keys, least digit first; stable, so equal keys stay in order of tokens.
void sort_by_key(std::vector<std::uint64_t>& entries) {
  std::vector<std::uint64_t> sorted(entries.size());
  for (unsigned shift = kKeyBits; shift < 2 * kKeyBits; shift += kDigitBits) {
    const auto digit = [shift](std::uint64_t value) {
      return static_cast<std::size_t>(value >> shift & ((1U << kDigitBits) - 1));
    };
    std::array<std::uint32_t, (1U << kDigitBits) + 1> first{};
    for (const std::uint64_t value : entries) ++first[digit(value) + 1];
    for (std::size_t d = 1; d < first.size(); ++d) first[d] += first[d - 1];
    for (const std::uint64_t value : entries) sorted[first[digit(value)]++] = value;
    std::swap(entries, sorted);
  }
}

}  // namespace

double coupled_acceptance(std::span<const double> p, std::span<const double> q) {
  check(p.size() == q.size(), "two coupled distributions cover the same tokens");
  check(p.size() <= kToken + 1, "a vocabulary slice has at most 65,536 tokens");
  std::vector<std::uint64_t> order;
  order.reserve(p.size());
  double target_mass = 0.0;  // of tokens with a ratio at or above the one at hand
  double draft_mass = 0.0;   // of tokens with a ratio below it
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] > 0.0 && q[i] > 0.0)
      order.push_back(entry(p[i] / q[i], i));
    else if (q[i] > 0.0)
      draft_mass += q[i];
    else
      target_mass += p[i];
  }
  sort_by_key(order);
  std::vector<double> at_or_above(order.size());
  for (std::size_t rank = order.size(); rank-- > 0;)
    at_or_above[rank] = target_mass += p[order[rank] & kToken];
  double acceptance = 0.0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const std::size_t x = order[rank] & kToken;
    acceptance += p[x] * q[x] / (q[x] * at_or_above[rank] + p[x] * draft_mass);
    draft_mass += q[x];
  }
  return std::min(1.0, acceptance);
}

}  // namespace specroute::models
