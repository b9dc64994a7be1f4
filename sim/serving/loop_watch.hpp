/// @file
/// What an engine does about sequences that repeat themselves: nothing, or it watches the output
/// and ends them when its detector fires.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/degradation/repetition.hpp"
#include "sim/serving/sequence.hpp"

namespace specroute::sim {

struct LoopWatch {
  std::uint32_t period = 1;  ///< of the scenario's loops
  std::uint32_t tokens = 0;  ///< of a loop, at which the detector fires; 0: it never does

  /// Output tokens at which a sequence ends that entered a loop after `entered` of them, if it does
  /// not escape before.
  [[nodiscard]] std::uint32_t length(std::uint32_t entered, std::uint32_t limit) const {
    if (tokens == 0) return limit;
    const std::uint64_t seen = models::detected_at(entered, period, tokens);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(seen, limit));
  }
};

/// Whether a finished sequence was ended by a detector: inside a loop, short of its limit.
[[nodiscard]] inline bool ended_by_detector(const Sequence& finished) {
  return is_looping(finished.row) && finished.emitted < finished.limit;
}

}  // namespace specroute::sim
