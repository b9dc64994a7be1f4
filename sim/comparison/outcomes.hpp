/// @file
/// What each request of a run came to: no more than a comparison with the same request under
/// another gate needs. Only what is not a clean completion is kept, so memory follows the harm.
#pragma once

#include <cstdint>
#include <vector>

namespace specroute::sim {

/// Requests by number: they arrive in the same order under every gate, numbered from 0.
struct Outcomes {
  std::uint64_t arrived = 0;
  std::vector<std::uint64_t> degraded;  ///< completed, with a loop or the like; ascending
  std::vector<std::uint64_t> unserved;  ///< ended without a completion; ascending
};

}  // namespace specroute::sim
