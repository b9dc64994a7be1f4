/// @file
/// Counters and ratios of engines as counts of periods.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/telemetry/telemetry.hpp"

namespace specroute::sim {

/// What one engine counted in (from, to]. A reset has no counts.
struct EngineWindow {
  std::uint32_t source = 0;
  UnixTime from = 0;
  UnixTime to = 0;
  std::uint64_t steps = 0;
  std::uint64_t drafted = 0;   ///< 0 of a ratio that waits for the pairing's draft_tokens
  std::uint64_t accepted = 0;  ///< likewise
  std::vector<std::uint64_t> accepted_at;
  std::uint64_t completions = 0;
  bool reset = false;  ///< a counter fell, or the process began again
  // Of a ratio.
  std::optional<double> accept_length;
  std::optional<double> accept_rate;
  std::uint64_t tokens_per_step = 0;  ///< as the engine publishes it; 0: it does not
  Origin origin;
};

/// What became of scrapes on the way. Each is told in the result.
struct ScrapeCounts {
  std::uint64_t scrapes = 0;       ///< (engine, date) pairs
  std::uint64_t repeated = 0;      ///< values that were there already
  std::uint64_t conflicting = 0;   ///< two values for one series and date: the first holds
  std::uint64_t out_of_order = 0;  ///< scrapes older than one before them in the file: sorted in
  std::uint64_t incomplete = 0;    ///< without draft tokens and accepted tokens, or a ratio
  std::uint64_t implausible = 0;   ///< more accepted than drafted tokens
  std::uint64_t no_volume = 0;     ///< a ratio with nothing that says over how many steps
};

/// Windows between neighbouring scrapes of each engine, and those of log lines; by end, then
/// engine.
///
/// Counters are subtracted series by series, then added over the series of an engine. One that was
/// never there before began at 0; one that was absent from the scrape before goes on from its last
/// value. A counter that falls, or whose `_created` moved,
/// makes the window a reset. A ratio L of tokens per step over S steps, the bonus token included,
/// stands for S (L - 1) accepted tokens; S are SGLang's verification calls, or else its emitted
/// tokens / L.
[[nodiscard]] std::vector<EngineWindow> engine_windows(const Telemetry& telemetry,
                                                       ScrapeCounts& counts);

}  // namespace specroute::sim
