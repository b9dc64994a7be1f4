/// @file
/// The three invariants that a gate is held to, each on one story.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/router/random_host.hpp"

namespace specroute::router::test {

/// A gate as it is put to the test.
struct Subject {
  std::string config;    ///< JSON
  int hash_version = 1;  ///< that the configuration asks for
  srp_ns cool_down = 0;  ///< the same
};

/// What a story did to a gate. A fault is one sentence, empty where the invariant held: the gravest
/// of the story.
struct Finding {
  std::string fault;
  std::size_t rank = SIZE_MAX;  ///< of the fault: 0 is the gravest
  std::size_t locks = 0;
  std::size_t invalid_windows = 0;  ///< that were varied, and what followed was compared
  std::size_t latencies = 0;        ///< that were varied
  std::size_t off_profile = 0;  ///< windows of two sides that agree on what the profile did not ask
  std::size_t tempted = 0;      ///< of them, those found risen beyond the threshold, and held
  std::size_t comparisons = 0;  ///< of two stories that differ in invalid windows
  std::size_t abandoned = 0;    ///< of these: not to the end, for an act that differed
};

/// No LOCK but for acceptance of a pair that was verified over a full cool-down.
Finding rewards_only_attributed(const Subject& subject, const Story& story);
/// What a window accepts while its pair is known to differ is discarded, not smoothed: two stories
/// that differ in it alone have the same decisions, but at those windows. Where a gate already acts
/// otherwise at such a window (which may be right: a spike there is a reason to reject) the stories
/// are two from then on, and are compared no further: such a comparison is abandoned.
Finding discards_invalid_windows(const Subject& subject, const Story& story);
/// Two stories that differ in latencies alone have the same decisions.
Finding ignores_latency(const Subject& subject, const Story& story);

}  // namespace specroute::router::test
