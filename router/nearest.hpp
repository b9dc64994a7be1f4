/// @file
/// The nearest known spelling of a mistyped word.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace specroute::router {

/// Levenshtein distance in bytes.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

/// The first of the nearest `known` words; empty where even that one shares less than half.
inline std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  // A hostile key may be huge; a word that long is near to nothing.
  std::size_t least = word.size() > 64 ? 0 : (word.size() + 1) / 2 + 1;
  if (least == 0) return best;
  for (const auto& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace specroute::router
