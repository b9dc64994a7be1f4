/// @file
/// Events of the policy ABI as JSON: the same events by name. Keys are the names of the members.
///
/// Dates are decimal seconds under "now_s", "from_s", "to_s", exact to the nanosecond; a reader
/// takes integer nanoseconds under "now", "from", "to" as well. Enumerations are names in lower
/// case, sets of bits arrays of names, hashes 16 hex digits in a string. What is not given is 0.
/// `flags`, reserved members and the length of `accepted_at` (`positions`) have no key.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <specroute/policy_abi.h>
#include <specroute/vocab/result.hpp>

#include "sim/json/json_node.hpp"
#include "sim/json/json_value.hpp"

namespace specroute::sim {

/// One srp_ev_* of any type, in storage that is aligned for it.
struct EventRecord {
  std::vector<std::uint64_t> storage;
  [[nodiscard]] const srp_record& head() const;
  [[nodiscard]] srp_record& head();
};

/// Reads one event. Every fault at once: unknown keys, missing fields, wrong types and names, each
/// with its JSON pointer and the nearest spelling; the file is left empty.
[[nodiscard]] Result<EventRecord> event_from_json(const JsonNode& event);

/// Writes one event. A type that is no event of this ABI, or a record shorter than its type, gives
/// an object with "type" (a number) and "size".
[[nodiscard]] JsonValue event_to_json(const srp_record& event);

/// "window" for SRP_EV_WINDOW, and so on; "type N" for what is no event of this ABI.
[[nodiscard]] std::string event_name(std::uint16_t type);

}  // namespace specroute::sim
