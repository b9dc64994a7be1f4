/// @file
/// What a backend's telemetry tells the router: counts of one period, and live fingerprints.
/// Nothing in it derives from what only the simulator knows.
#pragma once

#include <array>
#include <cstdint>

#include <specroute/policy_abi.h>
#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

namespace specroute::sim {

struct WindowReport {
  PairingId pairing;
  ProfileId profile;
  Seconds from{0.0};
  Seconds to{0.0};
  std::uint64_t steps = 0;  ///< verifications of one sequence
  std::uint64_t drafted = 0;
  std::uint64_t accepted = 0;
  std::uint64_t whole = 0;  ///< of the steps, those that accepted their whole draft
  std::array<std::uint64_t, SRP_MAX_POSITIONS> accepted_at{};
  std::uint32_t positions = 0;  ///< gamma
  std::uint64_t completions = 0;
  Seconds latency_p50{0.0};  ///< of the completions; 0 where there was none
  srp_side draft{};
  srp_side target{};
  std::uint32_t flags = 0;  ///< SRP_WIN_*
};

}  // namespace specroute::sim
