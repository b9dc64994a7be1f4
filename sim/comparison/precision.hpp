/// @file
/// Sequential stopping: how many seeds an interval still needs.
#pragma once

#include <cstddef>
#include <optional>

#include "models/statistics/interval.hpp"

namespace specroute::sim {

/// Seeds before which no interval is believed: fewer can agree by chance.
inline constexpr std::size_t kFewestSeeds = 5;

/// Whether half_width <= share * |mean|. A mean of exactly 0 with no spread is as tight as can be.
[[nodiscard]] bool tight_enough(const models::Interval& interval, double share);

/// How many seeds in all are likely to be enough: the half-width falls with the root of their
/// number. At least one more than there are, at most twice as many (the spread of a few seeds is a
/// poor guide), and none where the interval is tight already.
[[nodiscard]] std::optional<std::size_t> seeds_wanted(const models::Interval& interval,
                                                      double share);

}  // namespace specroute::sim
