/// @file
/// The router under test: its loop, its patience, its gates.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <specroute/vocab/units.hpp>

#include "sim/scenario/dispatch_settings.hpp"

namespace specroute::sim {

struct RouterSettings {
  Seconds probe_period;
  Seconds probe_timeout;
  std::uint32_t unhealthy_threshold;  ///< consecutive failed probes
  Seconds telemetry_period;
  Seconds telemetry_transport;
  Seconds command_transport;         ///< one way, router to backend
  Seconds bind_verification;         ///< tokenizer, KV block and mask handshake at bind
  std::uint64_t live_after_drafted;  ///< drafted tokens before telemetry has live parameters
  bool verify_parameters_at_bind;
  Seconds parameter_verification;  ///< its round trip, paid only where verified at bind
  Seconds reselect_period;
  Seconds no_candidate_retry;  ///< a bind that found no candidate is tried again
  Dispatch dispatch;
  std::uint32_t max_retries;  ///< of one request, after backend failures
  Seconds request_timeout;    ///< from arrival
  std::uint32_t queue_limit;  ///< requests waiting at the router for a pairing
  std::optional<std::uint32_t> max_outstanding_per_engine;  ///< of one target; more wait
  DispatchSettings dispatching = {};
};

/// A gate under test: a label and the policy configuration as JSON text, handed to the library.
struct Gate {
  std::string label;
  std::string config_json;
};

}  // namespace specroute::sim
