/// @file
/// What goes wrong, and when.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

namespace specroute::sim {

/// How a backend that fails its requests answers: a client error is not worth a retry.
enum class ErrorAnswer : std::uint8_t { client, server };

/// One elementary fault. Flapping, bounces, sequences, racks, nodes and pools are taken apart when
/// the scenario is read (fault_spans.hpp).
struct Fault {
  enum class Kind { crash, hang, slow, errors, partition, drain, wrong_tokens };
  Kind kind;
  BackendId backend;  ///< of a partition: unused
  Seconds at;
  std::optional<Seconds>
      until;            ///< a date, not a duration, lest rounding move it; none: to the end
  bool silent = true;   ///< of a crash: no connection is reset, only probes tell
  double factor = 1.0;  ///< of slow: on every step's time
  double share = 1.0;   ///< of errors: of the tries
  ErrorAnswer answer = ErrorAnswer::server;
  double hazard_per_token = 0.0;  ///< of wrong_tokens
  BackendId from = {};            ///< of a partition, one way; no backend: the router
  BackendId to = {};
  bool drawn = false;  ///< left out where it cannot happen; what a file says can, or it is refused
};

/// Whether what ends at `until` (none: never) lasts at `date`. It is over at its end, so the next
/// of its kind may begin then. What a file may say and what the plan plays both hang on this.
[[nodiscard]] inline bool lasts_at(const std::optional<Seconds>& until, Seconds date) {
  return !until || date < *until;
}

/// Failures at a rate, drawn for each backend before the run from a stream of its own.
struct RandomFaults {
  Fault::Kind effect;  ///< crash or hang
  std::vector<BackendId> backends;
  double gpu_hours_per_failure;
  std::optional<Seconds> restart_after;
  bool silent;
};

/// Someone sets sampling parameters on a backend; stale once the owner is gone and they are not.
struct Override {
  BackendId backend;
  std::string owner;
  Seconds from;
  Seconds owner_gone;
  std::optional<Seconds> until;
  bool replaces_block;  ///< true: the whole block, grammar included; false: a patch
  std::optional<double> temperature;
  std::optional<double> top_p;
  std::optional<std::uint32_t> top_k;
  std::optional<double> min_p;
  std::optional<std::int64_t> seed;
  std::optional<std::string> grammar;  ///< empty text: none
  bool at_restart = false;             ///< takes effect with the first restart from `from` on
  bool survives_restart = false;       ///< kept in configuration; else it ends with the process
  bool last_request = false;  ///< the batch runs under the parameters of its last request instead
};

}  // namespace specroute::sim
