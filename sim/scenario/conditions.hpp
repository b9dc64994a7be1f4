/// @file
/// How engines come to differ from their configuration, and what becomes of their telemetry.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/scenario/fleet.hpp"

namespace specroute::sim {

/// What an engine follows or holds now, where it is not what was configured.
struct EngineChange {
  BackendId backend;
  std::string cause;
  Seconds from;
  std::optional<Seconds> until = {};
  bool at_restart = false;  ///< takes effect with the first restart from `from` on
  bool survives_restart = true;
  std::optional<Rule> rule = {};  ///< of a target
  RuleParameters rule_parameters = {};
  std::optional<std::string> tokenizer = {};
  std::optional<std::uint32_t> vocabulary_tokens = {};
  std::optional<std::uint32_t> kv_block_tokens = {};
  std::optional<std::string> attention_mask = {};
  std::optional<std::string> draft_weights = {};
};

/// What goes wrong between a target's counters and the router. Counters only grow, and the router
/// takes differences of what it reads.
struct TelemetryFault {
  enum class Kind { delay, loss, counter_reset, other_denominator, one_engine };
  /// What a published ratio is over, instead of drafted tokens.
  enum class Denominator {
    tested_tokens,       ///< those before and at the first miss
    verified_positions,  ///< draft_tokens + 1 of each verification
  };
  Kind kind;
  BackendId backend;
  Seconds from;
  std::optional<Seconds> until = {};
  Seconds extra{0.0};  ///< of delay
  double share = 0.0;  ///< of loss, (0, 1]
  Denominator denominator = Denominator::tested_tokens;
  std::uint32_t engine = 0;  ///< of one_engine
};

}  // namespace specroute::sim
