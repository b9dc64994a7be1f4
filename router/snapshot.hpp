/// @file
/// State as bytes: snapshot, restore, and the digest that proves them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "router/instance.hpp"

namespace specroute::router {

/// Digest of the configuration and of all state: equal digests, equal futures.
std::uint64_t state_digest(const srp_policy& policy);
/// Bytes that a snapshot takes now.
std::size_t snapshot_bytes(const srp_policy& policy);
/// Writes snapshot_bytes() bytes.
void write_snapshot(const srp_policy& policy, std::byte* to);
/// Replaces the state. On a refusal the state is untouched.
/// @return why it was refused; empty where it was taken
std::string_view read_snapshot(srp_policy& policy, const std::byte* from, std::size_t len);

/// Gives a snapshot for `policy` the digest that its bytes call for, so that only what they say can
/// refuse it. For tests; bytes too few to be a snapshot stay as they are.
void seal_snapshot(const srp_policy& policy, std::byte* bytes, std::size_t len);

}  // namespace specroute::router
