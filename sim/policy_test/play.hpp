/// @file
/// The host's side of a test: events in the order of their dates, ticks where decisions ask for
/// them, outcomes where the test has them told.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <specroute/policy_abi.h>

#include "sim/policy_test/suite.hpp"

namespace specroute::sim {

struct PlayedEvent {
  EventRecord record;   ///< as sent: with its number in `seq`, from 1
  std::string pointer;  ///< the entry it comes from; empty: the host's own tick or outcome
};

struct SaidDecision {
  srp_decision decision;
  std::size_t event;  ///< index in PlayedTest::events
  bool judged;        ///< false: an answer to what was only given
};

struct PlayedTest {
  std::vector<PlayedEvent> events;
  std::vector<SaidDecision> said;
  std::string stopped;  ///< why the last event ended it; empty: it went to the end
};

/// Plays all events of `test` to a new instance. Ends early where the policy refuses an event
/// (SRP_E_FULL aside: that event was applied).
[[nodiscard]] PlayedTest play(const PolicyTest& test, const srp_module& module);

}  // namespace specroute::sim
