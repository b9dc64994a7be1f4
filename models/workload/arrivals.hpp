/// @file
/// Arrivals of requests: a Poisson process whose rate is constant within each phase.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <specroute/vocab/units.hpp>

namespace specroute::models {

/// Events per second.
using EventRate = Quantity<struct EventRateUnit>;

/// From `start` until the next phase's start (the last phase: for ever), events come at `rate`.
struct ArrivalPhase {
  Seconds start{0.0};
  EventRate rate;  ///< >= 0; 0 is silence
};

/// An inhomogeneous Poisson process by time change: with R(t) the integral of the rate, the next
/// event after t is at R^-1(R(t) + E), E exponential of mean 1. Exact across phase borders; one
/// uniform per arrival, so scaling all rates by c scales all dates by 1/c with the same luck.
/// @source Cinlar, "Introduction to Stochastic Processes", 1975, section 4.7.
class PoissonArrivals {
 public:
  /// @param phases not empty, starts strictly increasing.
  explicit PoissonArrivals(std::span<const ArrivalPhase> phases);

  /// Date of the first arrival after `now`, or none if the rate stays 0 for ever. Dates must be
  /// asked for in order: `now` does not decrease from call to call.
  /// @param u uniform on [0, 1): `Stream::uniform`.
  [[nodiscard]] std::optional<Seconds> next(Seconds now, double u);

 private:
  std::vector<ArrivalPhase> phases_;
  std::size_t current_ = 0;
};

}  // namespace specroute::models
