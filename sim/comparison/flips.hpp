/// @file
/// The flip table: how the requests of one run fared under another gate.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/comparison/outcomes.hpp"

namespace specroute::sim {

/// Requests that both runs served, by what they came to in the first and in the second.
struct FlipTable {
  std::uint64_t both_clean = 0;
  std::uint64_t both_degraded = 0;
  std::uint64_t became_degraded = 0;  ///< clean in the first, degraded in the second
  std::uint64_t became_clean = 0;     ///< degraded in the first, clean in the second
  std::uint64_t served_once = 0;      ///< completed in one of the two only
  std::uint64_t served_never = 0;
  /// The lowest number of a request that came to something else: where to look first.
  std::optional<std::uint64_t> first_difference = {};

  FlipTable& operator+=(const FlipTable& other);
};

/// Compares two runs of one seed. @param first, second of the same arrivals; where their numbers
/// differ (users of a closed loop who waited longer), those beyond the fewer count as served once.
[[nodiscard]] FlipTable flips_between(const Outcomes& first, const Outcomes& second);

}  // namespace specroute::sim
