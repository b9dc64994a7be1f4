/// @file
/// What each gate holds of a pairing at each window, and where gates differ.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/replay/play.hpp"

namespace specroute::sim {

/// Neighbouring windows of one pairing and profile at which the gates' verdicts stayed as they are
/// here, and were not all the same.
struct Difference {
  std::uint64_t pairing = 0;
  std::uint64_t profile = 0;
  UnixTime from = 0;  ///< end of the first window
  UnixTime to = 0;    ///< end of the last
  std::uint64_t windows = 0;
  std::uint64_t drafted = 0;
  std::uint64_t accepted = 0;
  std::vector<std::string> verdicts;  ///< by gate
};

/// A verdict is the last decision: "LOCK" until its date and "HOLD" after, NO_DRAFT and QUARANTINE
/// likewise, "REBIND" until another one; "-" before any. By their beginning, then pairing.
[[nodiscard]] std::vector<Difference> differences(const Script& script, const Play& play,
                                                  std::size_t gates);

/// Decisions of one gate by type, and what it first said of the new pairing at or after the
/// date of each handover.
struct GateTally {
  std::uint64_t holds = 0;
  std::uint64_t locks = 0;
  std::uint64_t rebinds = 0;
  std::uint64_t no_drafts = 0;
  std::uint64_t quarantines = 0;
  std::uint64_t refused = 0;  ///< events answered with an error, SRP_E_FULL aside
  std::uint64_t full = 0;     ///< events with SRP_E_FULL: applied, at the cost of an entry
  std::vector<const GateDecision*> first_after;  ///< by handover; null: it said nothing
};

[[nodiscard]] std::vector<GateTally> gate_tallies(const Script& script, const Play& play,
                                                  std::size_t gates);

}  // namespace specroute::sim
