/// @file
/// Which row of step tables serves a sequence.
///
/// Traffic comes in kinds, (class, content) combinations. Each kind has one row for every kind of
/// request that a spread of acceptance tells apart, every range of context, and both states of a
/// sequence, normal and looping. A sequence carries its row's number, so a step reads one row;
/// the number changes only where the context passes an edge, or a loop begins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace specroute::sim {

/// Number of a row. The looping row is the odd one next to the normal one.
using TrafficRow = std::uint32_t;

/// The normal row of a kind where requests are all alike and context does not matter.
constexpr TrafficRow normal_row(std::uint32_t kind) {
  return 2 * kind;
}
constexpr bool is_looping(TrafficRow row) {
  return (row & 1U) != 0;
}

struct RowLayout {
  std::uint32_t quantiles = 1;       ///< kinds of request
  std::vector<std::uint32_t> edges;  ///< context at which each range but the first begins, rising

  [[nodiscard]] std::uint32_t ranges() const {
    return static_cast<std::uint32_t>(edges.size()) + 1;
  }
  [[nodiscard]] std::uint32_t rows_per_kind() const { return 2 * quantiles * ranges(); }
  [[nodiscard]] std::uint32_t kind_of(TrafficRow row) const { return row / rows_per_kind(); }

  /// The normal row. @param quantile below `quantiles`. @param range below `ranges()`.
  [[nodiscard]] TrafficRow row(std::uint32_t kind, std::uint32_t quantile,
                               std::uint32_t range) const {
    return 2 * ((kind * quantiles + quantile) * ranges() + range);
  }
  [[nodiscard]] std::uint32_t range_of(std::uint32_t context_tokens) const {
    return static_cast<std::uint32_t>(std::upper_bound(edges.begin(), edges.end(), context_tokens) -
                                      edges.begin());
  }
  /// The same row in another range of context.
  [[nodiscard]] TrafficRow in_range(TrafficRow row, std::uint32_t range) const {
    const TrafficRow pair = row / 2;
    return 2 * (pair - pair % ranges() + range) + (row & 1U);
  }
  /// Context at which a range begins.
  [[nodiscard]] std::uint32_t begin_of(std::uint32_t range) const {
    return range == 0 ? 0 : edges[range - 1];
  }
  /// One more edge, unless it is there.
  void add_edge(std::uint32_t context_tokens) {
    const auto place = std::lower_bound(edges.begin(), edges.end(), context_tokens);
    if (place == edges.end() || *place != context_tokens) edges.insert(place, context_tokens);
  }
  /// Context at which a range ends: where the next begins, or never.
  [[nodiscard]] std::uint32_t end_of(std::uint32_t range) const {
    return range < edges.size() ? edges[range] : std::numeric_limits<std::uint32_t>::max();
  }
};

}  // namespace specroute::sim
