/// @file
/// The time that a policy takes over its events. Wall time: it is reported beside results and never
/// part of one.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/routing/policy_port.hpp"

namespace specroute::sim {

struct PolicyTime {
  double wall_s = 0.0;
  std::uint64_t events = 0;
};

/// `policy`, with every event that it is sent timed into `time`, which outlives it.
[[nodiscard]] std::unique_ptr<PolicyPort> timed(std::unique_ptr<PolicyPort> policy,
                                                PolicyTime& time);

}  // namespace specroute::sim
