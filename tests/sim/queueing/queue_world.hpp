/// @file
/// A scenario that is a textbook queue: Poisson arrivals, engines that hold one sequence each, no
/// network, and a draft that is dead from the start, so that targets decode alone.
#pragma once

#include <cstdint>

#include "models/statistics/interval.hpp"
#include "models/statistics/queueing.hpp"
#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

struct QueueWorld {
  models::LengthSpec output;
  std::uint32_t engines;     ///< servers; they share one queue, at the router
  double utilisation;        ///< rho of the arrival rate, in (0, 1)
  std::uint32_t arrivals;    ///< in the mean, of one seed
  std::uint32_t seeds = 10;  ///< 1, 2, ...
};

/// What the queue's service time is, exactly: the distribution of lengths in tokens times the
/// passes that each takes (one for the prompt, one for each further token).
struct QueueFacts {
  models::ServiceTime service;
  double rate_per_s;  ///< of arrivals
};
[[nodiscard]] QueueFacts queue_facts(const QueueWorld& world);

/// Mean wait in seconds of those who arrived after the first tenth of the run: one value per seed,
/// and Student's interval over them. A wait is what a request's sojourn exceeds its service by.
[[nodiscard]] models::Interval simulated_wait(const QueueWorld& world);

}  // namespace specroute::sim
