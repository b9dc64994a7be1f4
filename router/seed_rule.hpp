/// @file
/// The seed's rule as a stateless function, in doubles as the seed has it.
#pragma once

#include <specroute/policy_abi.h>
#include <cstdint>

#include "router/text_buffer.hpp"

namespace specroute::router {

/// SRP_REBIND with the seed's words in `why`, or SRP_LOCK. The seed always knows its hashes, so an
/// unknown one counts as different here. NaN compares as in Python: no spike.
std::int32_t judge_seed_rule(const srp_case& question, TextBuffer& why);

}  // namespace specroute::router
