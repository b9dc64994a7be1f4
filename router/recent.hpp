/// @file
/// Outcomes of the latest while: how many there were and how many of them were bad, in slots of
/// time, within a gate's tally.
#pragma once

#include <array>
#include <cstdint>

#include "router/tally.hpp"

namespace specroute::router {

/// Requests of which some failed, or completions of which some were found degraded.
struct Outcomes {
  std::uint64_t total = 0;
  std::uint64_t bad = 0;  ///< <= total

  /// bad / total in parts per million, rounded down; 0 for none.
  [[nodiscard]] std::int64_t share_ppm() const {
    return total == 0 ? 0 : static_cast<std::int64_t>(bad * 1'000'000 / total);
  }
};

/// A slot holds fewer outcomes: it is halved before it gets there.
constexpr std::uint64_t kMostOfSlot = std::uint64_t{1} << 24U;

/// Of `error_breaker` and `quality_probe`.
struct RecentTally {
  std::uint64_t newest = 0;  ///< 1 + date / slot length of the newest slot; 0: nothing counted
  std::array<Outcomes, 6> slots{};
  std::array<std::uint64_t, 3> unused{};
};

/// Adds outcomes dated `now`. Slots that the span has left behind are emptied; one that holds
/// 2^24 outcomes or more is halved, which keeps its share and room for the gates' products.
/// @param span_ns of all slots together, >= 6
void count_recent(Tally& tally, Outcomes more, std::uint64_t now, std::uint64_t span_ns);
/// The outcomes of the span up to `now`, whose far edge is as coarse as a slot: total < 2^28.
Outcomes recent_outcomes(const Tally& tally, std::uint64_t now, std::uint64_t span_ns);

}  // namespace specroute::router
