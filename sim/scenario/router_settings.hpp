/// @file
/// The router under test: its loop, its patience, its gates.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <specroute/vocab/units.hpp>

#include "sim/scenario/dispatch_settings.hpp"
#include "sim/scenario/resilience.hpp"

namespace specroute::sim {

/// What answers a probe: the server process, off the request path, or the engine itself.
enum class ProbeKind : std::uint8_t { liveness, end_to_end };
/// When tokenizer, KV block and attention mask of a pair are compared.
enum class VerifyBinding {
  bind,           ///< each time, as the engines report them
  configuration,  ///< once, as configured: nobody asks the engines
};
/// What stands for a tokenizer in that comparison.
enum class TokenizerIdentity {
  hash,             ///< over its tokens
  vocabulary_size,  ///< rows of the model's vocabulary, padding included
};
/// What a target that takes over samples with.
enum class StandbyParameters {
  own,
  copied_from_primary,  ///< the overrides in force on the one that it replaces, too
};

/// How replacements are chosen where several pairings need one: jointly, by minimum-cost flow, or
/// one after the other.
enum class AssignmentRule : std::uint8_t { flow, greedy };

/// A detector at the router that reads a share of the completions.
struct QualitySampling {
  double share;               ///< of the completions, each drawn by itself
  Seconds report;             ///< between two reports of its verdicts to the policy
  std::uint32_t loop_tokens;  ///< repeated at the end of a text for at least so long: a loop
};

struct RouterSettings {
  Seconds probe_period;
  Seconds probe_timeout;
  std::uint32_t unhealthy_threshold;  ///< consecutive failed probes
  Seconds telemetry_period;
  Seconds telemetry_transport;
  std::optional<Seconds> telemetry_stale_after = {};  ///< later windows are marked; none: never
  Seconds command_transport;                          ///< one way, router to backend
  Seconds bind_verification;         ///< tokenizer, KV block and mask handshake at bind
  std::uint64_t live_after_drafted;  ///< drafted tokens before telemetry has live parameters
  VerifyBinding verify_binding = VerifyBinding::bind;
  TokenizerIdentity tokenizer_identity = TokenizerIdentity::hash;
  StandbyParameters standby_parameters = StandbyParameters::own;
  bool verify_parameters_at_bind;
  Seconds parameter_verification;  ///< its round trip, paid only where verified at bind
  Seconds reselect_period;
  Seconds no_candidate_retry;  ///< a bind that found no candidate is tried again
  Dispatch dispatch;
  std::uint32_t max_retries;  ///< of one request, after backend failures
  Seconds request_timeout;    ///< from arrival
  std::uint32_t queue_limit;  ///< requests waiting at the router for a pairing
  std::optional<std::uint32_t> max_outstanding_per_engine;  ///< of one target; more wait
  AssignmentRule assignment = AssignmentRule::flow;
  DispatchSettings dispatching = {};
  std::uint32_t healthy_threshold = 1;  ///< consecutive answers that make a backend healthy again
  ProbeKind probe_kind = ProbeKind::liveness;
  std::vector<RetryLayer> retry_layers = {};  ///< outermost first; none: max_retries alone
  bool retries_keep_tokens = true;            ///< false: a retried request begins again
  Seconds error_turnaround{1e-3};  ///< of a backend that refuses or fails a try, network apart
  std::optional<BreakerSettings> breaker = {};
  std::optional<Seconds> health_report = {};  ///< between two reports of tries to the policy
  std::optional<QualitySampling> quality_sampling = {};
};

/// A gate under test: a label and the policy configuration as JSON text, handed to the library.
struct Gate {
  std::string label;
  std::string config_json;
};

}  // namespace specroute::sim
