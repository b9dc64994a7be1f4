/// @file
/// What a router does about failed tries: layers of retries, a circuit breaker for each target.
/// The schema holds the presets of public routers; here are only their numbers.
#pragma once

#include <cstdint>
#include <optional>

#include <specroute/vocab/units.hpp>

namespace specroute::sim {

/// One layer of retries: a client, a gateway, a router. Wait n (from 0) is
/// min(backoff · multiplier^n, backoff_max) · (1 + jitter (2u - 1)), u uniform on [0, 1).
struct RetryLayer {
  std::uint32_t max_retries;
  Seconds backoff;
  double backoff_multiplier;  ///< >= 1
  Seconds backoff_max;
  double jitter;                       ///< 0..1
  std::optional<double> budget_share;  ///< retries over tries that the layer was asked for
  double budget_min_per_s;             ///< retries that a budget allows in any case
  std::uint32_t budget_window_s;
  std::optional<Seconds> try_timeout;
};

enum class OpenGrowth : std::uint8_t { none, linear, exponential };
enum class HalfOpen : std::uint8_t { none, one, all };

struct BreakerSettings {
  std::uint32_t consecutive_failures;   ///< 0: none open it
  std::optional<double> failure_share;  ///< beyond which it opens
  std::uint32_t window_s;
  std::uint32_t min_tries;           ///< within the window, for a share to count
  std::optional<double> deviations;  ///< below the mean success rate, at a sweep
  std::uint32_t deviation_min_targets;
  std::uint32_t deviation_min_tries;
  Seconds sweep;
  Seconds open;
  OpenGrowth open_growth;
  Seconds max_open;
  HalfOpen half_open;
  std::uint32_t successes_to_close;
  double max_open_share;  ///< of a pool's targets; one always may be open
  bool closes_on_probe;
  bool counts_client_errors;
};

}  // namespace specroute::sim
