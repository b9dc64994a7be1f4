/// @file
/// Decisions by the names that explanations, logs and results use.
#pragma once

#include <specroute/policy_abi.h>
#include <cstdint>
#include <string_view>

namespace specroute::router {

/// "HOLD" for SRP_HOLD, and so on; empty where the type is no decision of this ABI.
constexpr std::string_view decision_name(std::uint32_t type) {
  switch (type) {
    case SRP_HOLD:
      return "HOLD";
    case SRP_LOCK:
      return "LOCK";
    case SRP_REBIND:
      return "REBIND";
    case SRP_NO_DRAFT:
      return "NO_DRAFT";
    case SRP_QUARANTINE:
      return "QUARANTINE";
    default:
      return {};
  }
}

}  // namespace specroute::router
