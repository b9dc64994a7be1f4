/// @file
/// Exact waiting times of queues with Poisson arrivals, first come first served: what a simulator
/// of such a queue must reproduce.
///
/// rho = lambda E[S] / servers is the utilisation. All results hold for 0 < rho < 1 in the steady
/// state, for an infinite queue in which nobody gives up; a queue at rho >= 1 has no steady state
/// and is refused. By Little's law the mean number waiting is lambda W_q, and in the system
/// lambda (W_q + E[S]).
#pragma once

#include <cstdint>

#include <specroute/vocab/units.hpp>

namespace specroute::models {

/// First two moments of a service time.
struct ServiceTime {
  Seconds mean{0.0};           ///< E[S] > 0
  double second_moment = 0.0;  ///< E[S^2] in s^2, >= mean^2

  /// (E[S^2] - E[S]^2) / E[S]^2, the squared coefficient of variation; 1 where exponential.
  [[nodiscard]] double squared_variation() const;
};

/// Probability that an arrival of an M/M/c queue must wait: with B by B(0) = 1,
/// B(k) = a B(k-1) / (k + a B(k-1)), C = c B(c) / (c - a (1 - B(c))).
/// @param servers c >= 1. @param offered a = lambda E[S] in erlang, 0 <= a < c. @return in [0, 1).
/// @source Erlang 1917; the recursion of B in Cooper, "Introduction to Queueing Theory", 1981, ch.
/// 3
[[nodiscard]] double erlang_c(std::uint32_t servers, double offered);

/// Mean wait in an M/M/c queue: C(c, a) E[S] / (c - a).
/// @param rate_per_s lambda > 0, below servers / mean_service.
[[nodiscard]] Seconds mmc_wait(double rate_per_s, Seconds mean_service, std::uint32_t servers);

/// Mean wait in an M/G/1 queue: lambda E[S^2] / (2 (1 - rho)).
/// @source Pollaczek 1930, Khinchine 1932.
[[nodiscard]] Seconds mg1_wait(double rate_per_s, const ServiceTime& service);

/// Mean wait in an M/D/1 queue: rho S / (2 (1 - rho)), half that of M/M/1.
[[nodiscard]] Seconds md1_wait(double rate_per_s, Seconds service);

/// Mean wait in an M/G/c queue, approximately: the M/M/c wait times (1 + cv^2) / 2. Exact for one
/// server and for exponential service; within a few per cent where cv^2 is near 1.
/// @source Lee and Longton, "Queueing processes associated with airline passenger check-in",
/// Operational Research Quarterly 10(1), 1959.
[[nodiscard]] Seconds mgc_wait(double rate_per_s, const ServiceTime& service,
                               std::uint32_t servers);

}  // namespace specroute::models
