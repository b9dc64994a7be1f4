#include "sim/json/nearest.hpp"

#include <algorithm>

namespace specroute::sim {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Whether one is the beginning of the other, and long enough to mean something.
bool abbreviates(std::string_view left, std::string_view right) {
  constexpr std::size_t kLeast = 4;
  return std::min(left.size(), right.size()) >= kLeast &&
         (left.starts_with(right) || right.starts_with(left));
}

}  // namespace

std::size_t edit_distance(std::string_view left, std::string_view right) {
  const std::size_t width = right.size() + 1;
  std::vector<std::size_t> before_last(width);
  std::vector<std::size_t> last(width);
  std::vector<std::size_t> row(width);
  for (std::size_t j = 0; j < width; ++j) row[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const bool same = lower(left[i - 1]) == lower(right[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && lower(left[i - 1]) == lower(right[j - 2]) &&
                           lower(left[i - 2]) == lower(right[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[width - 1];
}

std::string nearest_of(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t least = 0;
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    const bool near = distance * 3 <= std::max(word.size(), candidate.size());
    if (!near && !abbreviates(word, candidate)) continue;
    if (best.empty() || distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

}  // namespace specroute::sim
