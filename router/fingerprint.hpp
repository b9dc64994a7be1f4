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

/// The bits of tokenizer, params, KV and mask that are known of both sides and differ.
inline std::uint32_t differing(const srp_side& a, const srp_side& b, std::uint32_t version) {
  const auto bit_if = [](bool differs, std::uint32_t bit) { return differs ? bit : 0U; };
  return a.known & b.known &
         (bit_if(a.tokenizer != b.tokenizer, SRP_FP_TOKENIZER) |
          bit_if(params_of(a, version) != params_of(b, version), SRP_FP_PARAMS) |
          bit_if(a.kv_block_tokens != b.kv_block_tokens, SRP_FP_KV) |
          bit_if(a.mask != b.mask, SRP_FP_MASK));
}

/// Compares one SRP_FP_* bit (not SRP_FP_MODEL) of two sides.
inline Match compare(const srp_side& a, const srp_side& b, std::uint32_t bit,
                     std::uint32_t version) {
  if ((a.known & b.known & bit & ~static_cast<std::uint32_t>(SRP_FP_MODEL)) == 0)
    return Match::unknown;
  return (differing(a, b, version) & bit) != 0 ? Match::different : Match::equal;
}

}  // namespace specroute::router
