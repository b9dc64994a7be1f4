/// @file
/// The engine as a textbook queue, against exact mean waits.
#pragma once

#include "sim/validation/comparison.hpp"

namespace specroute::sim::validation {

/// M/D/1, M/G/1 and M/M/c: Poisson arrivals before target engines that hold one sequence each and
/// decode alone, all passes of one length. Seeds 1 to 10, the first tenth of each run left out.
/// Bounds: every exact wait lies within Student's 95 % interval, and no half-width exceeds 10 % of
/// the wait. tests/sim/queueing does the same with whole worlds: router, network, probes and step
/// times.
/// @source models/statistics/queueing.hpp.
[[nodiscard]] Section queueing_section();

}  // namespace specroute::sim::validation
