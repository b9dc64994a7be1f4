/// @file
/// Events and spans of time in the words of an error.
#pragma once

#include <charconv>
#include <string>

#include <specroute/policy_abi.h>
#include <specroute/vocab/units.hpp>

namespace specroute::sim {

/// "window", "bind", ...; "unknown" where the type is none. Safe in a signal handler.
[[nodiscard]] constexpr const char* event_type_text(std::uint16_t type) {
  constexpr const char* kNames[] = {"unknown", "candidate", "bind",     "unbind",
                                    "window",  "failover",  "sampling", "health",
                                    "quality", "outcome",   "tick"};
  return type <= SRP_EV_TICK ? kNames[type] : kNames[0];
}

/// "event 10 (window)".
[[nodiscard]] inline std::string event_text(const srp_record& event) {
  return "event " + std::to_string(event.seq) + " (" + event_type_text(event.type) + ")";
}

/// Seconds with the fewest digits: "10", "0.25".
[[nodiscard]] inline std::string seconds_text(Seconds span) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, span.count()).ptr;
  return {text, end};
}

}  // namespace specroute::sim
