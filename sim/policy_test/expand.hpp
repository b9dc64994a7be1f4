/// @file
/// Events as test files write them, in short, written out as records of the policy ABI.
#pragma once

#include <string>
#include <vector>

#include "sim/policy_test/definitions.hpp"
#include "sim/records/event_json.hpp"

namespace specroute::sim {

struct TimedEvent {
  EventRecord record;
  std::string pointer;     ///< the entry that it comes from
  bool of_latest = false;  ///< an outcome of the latest decision but HOLD (of its pairing, if any)
};

/// Where a list of events begins: the date of an entry that names none.
struct Pace {
  srp_ns date = 0;
  srp_ns interval = 0;
  bool begun = false;  ///< whether there was an event before
};

/// The events of `list`, whose entries the schema accepts, in the order of their dates. `pace` ends
/// at the last. Faults (unknown names, dates that fall, series of different lengths) go to
/// `definitions`; the events are then incomplete.
[[nodiscard]] std::vector<TimedEvent> expand_events(Definitions& definitions,
                                                    const std::vector<JsonNode>& list, Pace& pace);

/// The date that a number of seconds in a document stands for. @param node a number in [0, 1e9]
[[nodiscard]] srp_ns date_of(const JsonNode& node);

}  // namespace specroute::sim
