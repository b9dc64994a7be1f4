/// @file
/// Where a request is between its arrival and its end, and what its tries came to so far.
#pragma once

#include <cstdint>
#include <limits>

#include <specroute/vocab/units.hpp>

#include "sim/routing/circuit_breaker.hpp"
#include "sim/routing/retry.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/serving/row_layout.hpp"

namespace specroute::sim {

/// Of a backend that is not well: truth, which the router only meets in its consequences.
struct Ailments {
  bool hung = false;
  Seconds hung_since{0.0};
  bool refuses = false;  ///< its process died and told: connections are refused until it is bound
  double error_share = 0.0;
  ErrorAnswer answer = ErrorAnswer::server;
  double slowdown = 1.0;  ///< by its own faults: its device's is the product over all that share it
  double wrong_token_hazard = 0.0;  ///< above 0: it computes wrong tokens
};

/// A try as it left the router.
struct SentTry {
  Seconds at{0.0};
  CircuitBreakers::Epoch breaker = 0;  ///< the state that its target's breaker was in
};

struct TryState {
  enum class Place : std::uint8_t {
    router,     ///< waits for a target
    wire,       ///< on its way to one
    engine,     ///< in its line or its batch
    lost,       ///< with a backend that does not answer
    answering,  ///< an error is on its way back
    backoff,    ///< waits for its next try
  };
  Place place = Place::router;
  TryOutcome answer = TryOutcome::nothing;                ///< that is on its way
  Seconds due{std::numeric_limits<double>::quiet_NaN()};  ///< when the wire, answer or wait ends
  RetryState retry;
  std::uint32_t tries = 0;
  SentTry sent;
  std::uint32_t length = 0;  ///< as it arrived, for a try that begins again
  TrafficRow row = 0;
  std::uint32_t exposed_from = 0;  ///< output tokens when the node began to compute wrong ones
  bool exposed = false;            ///< to such a node, now
  double log_spared = 0.0;         ///< log of the chance that none of the tokens so far is wrong
  double log_spared_at_cut = 0.0;  ///< of those that had reached the router when a cut came
};

/// Over a whole run.
struct TryCounts {
  std::uint64_t sent = 0;
  std::uint64_t failed = 0;         ///< answered with an error, refused or lost
  std::uint64_t timed_out = 0;      ///< given up by a layer of retries
  std::uint64_t wasted_tokens = 0;  ///< emitted for tries that began again, or behind a cut
};

/// What a run that counts tries reports, in this order.
inline constexpr const char* kTryMetrics[] = {
    "tries.sent",          "tries.failed",     "tries.timed_out", "tries.denied_by_budget",
    "tries.wasted_tokens", "breaker.openings",
};

/// Whether a run reports what became of tries: only where something retries, breaks or refuses.
[[nodiscard]] bool counts_tries(const Scenario& scenario);

}  // namespace specroute::sim
