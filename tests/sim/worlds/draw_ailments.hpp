/// @file
/// Random faults of every kind, and random ways to live with them, for worlds that have none yet.
#pragma once

#include <cstdint>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// Adds to `s`, by draws of its own, hangs, slow nodes, error answers, partitions, drains, wrong
/// tokens, crashes that reset connections, failures at a rate; retry layers, a breaker, probes with
/// thresholds, draft timeouts. About every second world is left as it was.
void draw_ailments(Scenario& s, std::uint64_t seed);

}  // namespace specroute::sim
