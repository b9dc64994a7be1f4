/// @file
/// What the prompts of a request class have in common, and whose turns its requests are.
#pragma once

#include <cstdint>

namespace specroute::sim {

/// Prompts come in groups; the prompts of one group begin with the same blocks of 512 tokens.
struct SharedPrefix {
  std::uint32_t groups = 0;  ///< 0: no prompt shares anything
  std::uint32_t blocks = 0;
};

/// Each request is a turn of one of `active` sessions; a session ends after a turn with the chance
/// 1 / mean_turns, and a new one takes its place.
struct Sessions {
  std::uint32_t active = 0;  ///< 0: no sessions
  double mean_turns = 1.0;
};

}  // namespace specroute::sim
