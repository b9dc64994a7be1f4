/// @file
/// A request while an engine serves it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "models/workload/prefix_blocks.hpp"
#include "sim/serving/row_layout.hpp"

namespace specroute::sim {

/// What can go wrong with a completion.
enum class DegradationCause : std::uint8_t { none, loop, schema, corruption };
[[nodiscard]] constexpr const char* to_string(DegradationCause cause) {
  constexpr const char* kNames[] = {"none", "loop", "schema", "corruption"};
  return kNames[static_cast<std::size_t>(cause)];
}

/// The caller's name for what the steps of a pairing run under: parameters in force, decisions so
/// far. Engines carry it along and do not look into it.
using CircumstanceId = Id<struct CircumstanceEntity>;

/// All that an engine needs to know of a request, and all that it takes along to another engine.
struct Sequence {
  RequestId request;
  std::uint32_t slot = 0;  ///< the caller's handle
  TrafficRow row = 0;
  std::uint32_t prompt_tokens = 0;
  std::uint32_t emitted = 0;        ///< output tokens so far; kept when a dead engine's work moves
  std::uint32_t length = 0;         ///< output tokens at which it ends by itself: truth
  std::uint32_t limit = 0;          ///< output tokens at which the engine cuts it off
  models::PrefixHandle prefix;      ///< blocks of the prompt that others may share
  std::uint32_t shared_hashes = 0;  ///< of them, those that its engine holds in its prefix cache
  Seconds arrival{0.0};
  Seconds deadline{std::numeric_limits<double>::infinity()};
  Seconds submitted{0.0};  ///< to the engine that holds it
  Seconds admitted{0.0};   ///< to that engine's batch
  Seconds first_token{std::numeric_limits<double>::quiet_NaN()};
  Seconds last_emission{0.0};      ///< known of one that left a batch unfinished
  std::uint32_t loop_entered = 0;  ///< output tokens when it entered its latest loop
  std::uint32_t unsaid = 0;        ///< tokens that it still had to write then
  PairingId loop_pairing;          ///< truth: which pairing made it loop first, if any did
  PairingId schema_pairing;
  PairingId corruption_pairing;
  CircumstanceId blamed;  ///< truth: what the step ran under that degraded it first
  DegradationCause first_cause = DegradationCause::none;

  [[nodiscard]] std::uint32_t context() const { return prompt_tokens + emitted; }
  [[nodiscard]] bool degraded() const {
    return loop_pairing.exists() || schema_pairing.exists() || corruption_pairing.exists();
  }
};

}  // namespace specroute::sim
