/// @file
/// One event in, decisions out.
#pragma once

#include <specroute/policy_abi.h>
#include <cstddef>
#include <cstdint>

namespace specroute::router {

/// The ABI's on_event, for a checked instance and buffer.
std::int32_t on_event(srp_policy& policy, const srp_record& event, void* out, std::size_t cap,
                      std::size_t& used);

}  // namespace specroute::router
