/// @file
/// What the router itself counts and tells its policy beside the windows: how its tries went, and
/// what a detector that reads some of the completions found.
#pragma once

#include <cstdint>

namespace specroute::sim {

/// Tries of one backend that were settled since the last report. An error that blames the client
/// is a try, and no error of the backend's.
struct HealthReport {
  std::uint64_t tries = 0;
  std::uint64_t errors = 0;
  std::uint64_t timeouts = 0;
};

/// Completions that the detector read since the last report. One may be both.
struct QualityReport {
  std::uint64_t sampled = 0;
  std::uint64_t looping = 0;         ///< the text ends in repetitions
  std::uint64_t schema_invalid = 0;  ///< it does not parse as what was asked for
};

}  // namespace specroute::sim
