/// @file
/// Configuration of a policy instance: JSON text in, integers out. The schema that the module
/// exports is also what the parser reads, so shapes, ranges and defaults have one source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace specroute::router {

/// The resolved configuration. Integers only: rates in parts per million, times in nanoseconds.
/// Keys that a gate does not read hold their defaults. No padding: snapshots carry its bytes.
struct Config {
  std::uint32_t gate = 0;          ///< SRP_GATE_*
  std::uint32_t shadow = 0;        ///< 1: decisions are dry runs
  std::uint32_t match_draft = 0;   ///< 1: the literal reading of "matches the draft"
  std::uint32_t hash_version = 0;  ///< 1 or 2
  std::uint32_t threshold_ppm = 0;
  std::uint32_t max_pairings = 0;
  std::uint32_t max_backends = 0;
  std::uint32_t max_baselines = 0;
  std::uint32_t ewma_weight_ppm = 0;
  std::uint32_t limit_millisigma = 0;  ///< control limit, in thousandths of a standard deviation
  std::uint32_t allowance_ppm = 0;     ///< of the cumulative sum
  std::uint32_t error_ppm = 0;         ///< of the sequential test, of either kind
  std::uint32_t low_ppm = 0;           ///< acceptance below which drafts cost more than they win
  std::uint32_t min_windows = 0;
  std::uint32_t ejection_millisigma = 0;  ///< below the peers' mean, in thousandths of their sigma
  std::uint32_t min_pairings = 0;         ///< judged ones, before one can be an outlier
  std::uint32_t max_ejected_ppm = 0;      ///< share of a profile's pairings in quarantine
  std::uint32_t failure_ppm = 0;
  std::uint32_t min_requests = 0;
  std::uint32_t probe_requests = 0;  ///< up to so many after a quarantine, none may fail
  std::uint32_t tolerated_ppm = 0;   ///< degraded share of sampled completions
  std::uint32_t min_verdicts = 0;
  std::uint64_t decided_micro_nats = 0;  ///< of the sequential test: ln((1 - error) / error)
  std::uint64_t sum_limit_tokens = 0;
  std::uint64_t min_drafted = 0;
  std::uint64_t cool_down_ns = 0;
  std::uint64_t baseline_window_ns = 0;
  std::uint64_t retry_ns = 0;
  std::uint64_t no_draft_ns = 0;
  std::uint64_t observation_ns = 0;  ///< that recent outcomes reach back
  std::uint64_t quarantine_ns = 0;
  std::uint64_t max_quarantine_ns = 0;
};

/// Every fault of the text, one a line, and the byte offset of the first.
struct ConfigFault {
  std::string text;
  std::size_t offset = 0;
};

/// Reads `json` into `out`; on a fault `out` is unspecified.
std::optional<ConfigFault> parse_config(std::string_view json, Config& out);

/// JSON Schema (draft-07) of the configuration.
std::string_view config_schema();

}  // namespace specroute::router
