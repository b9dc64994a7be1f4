/// @file
/// What is known of one side of a pairing, and how two sides compare. Unknown is not equal.
#pragma once

#include <specroute/policy_abi.h>
#include <cstdint>

namespace specroute::router {

/// The latest knowledge of a side. `verified` has the bits of `side.known` that an engine itself
/// reported (at bind or live); the rest is claimed. No padding: snapshots carry its bytes.
struct Fingerprint {
  srp_side side{};
  std::uint32_t verified = 0;
  std::uint32_t reserved = 0;
};

enum class Match { unknown, equal, different };

/// The fingerprint that a bind or a candidate starts with.
Fingerprint first_seen(const srp_side& side);

/// How `seen` relates to the incarnation that `known` speaks of.
enum class Incarnation { same, newer, older };
Incarnation incarnation_of(const Fingerprint& known, const srp_side& seen);

/// Takes over what `seen` knows. A claim never overwrites what an engine reported; a newer
/// incarnation voids everything known before.
void learn(Fingerprint& known, const srp_side& seen);

/// The params hash of `side` in `version` (1 or 2).
inline std::uint64_t params_of(const srp_side& side, std::uint32_t version) {
  return version == 2 ? side.params_v2 : side.params_v1;
}

/// Compares one SRP_FP_* bit (not SRP_FP_MODEL) of two sides.
Match compare(const srp_side& a, const srp_side& b, std::uint32_t bit, std::uint32_t version);

}  // namespace specroute::router
