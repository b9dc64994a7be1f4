/// @file
/// McNemar's test: whether two gates degrade the same requests equally often.
#pragma once

#include <cstdint>

namespace specroute::sim {

/// The exact two-sided p-value: under equality, flips go either way like tosses of a fair coin, so
/// p = min(1, 2 P(X <= min(b, c))) with X binomial(b + c, 1/2). 1 where nothing flipped.
/// It treats requests as independent. Those of one run share its faults, so over seeds the interval
/// of paired_interval.hpp is the one to cite; this one says whether a single run can be told apart.
/// Rounded to four significant digits, so that it reads the same wherever it was computed.
/// @source McNemar, "Note on the sampling error of the difference between correlated proportions",
/// Psychometrika 12(2), 1947. The distribution is Boost.Math's.
[[nodiscard]] double mcnemar_exact(std::uint64_t became_degraded, std::uint64_t became_clean);

}  // namespace specroute::sim
