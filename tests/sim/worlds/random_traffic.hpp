/// @file
/// Traffic of every kind for random worlds, and traces made in memory.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// Gives each class of `scenario` some kind of arrivals, tenants and a priority.
void draw_traffic(Scenario& scenario, std::uint64_t seed);

/// The rows of a made-up trace in our own format.
[[nodiscard]] std::shared_ptr<const Trace> made_up_trace(std::uint64_t seed, double rate_per_s);

/// Arrivals that play those rows, cut at 64 tokens.
[[nodiscard]] Arrivals trace_arrivals(std::shared_ptr<const Trace> rows);

}  // namespace specroute::sim
