/// @file
/// Fingerprints: what a router compares before it believes that two backends belong together.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <specroute/policy_abi.h>
#include <specroute/vocab/id.hpp>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

/// Ids cross the policy ABI counted from 1, so that 0 can mean "none".
constexpr std::uint64_t abi_id(std::uint32_t id) {
  return std::uint64_t{id} + 1;
}

/// FNV-1a, 64 bits: the identity of a name (model, tokenizer, mask) in a fingerprint.
[[nodiscard]] std::uint64_t name_hash(std::string_view name);

/// Leading 64 bits of params_hash, version 1 or 2, by the policy module's own function.
/// @param rule the verification rule as srp_sampling has it, which version 2 sees
[[nodiscard]] std::uint64_t params_hash_bits(const srp_module& module, std::uint32_t version,
                                             const Sampling& sampling, std::uint32_t rule = 0);

/// A backend in one of its lives, and what a router takes for the identity of its tokenizer.
struct Instance {
  BackendId backend;
  std::uint64_t incarnation = 0;
  TokenizerIdentity tokenizer_identity = TokenizerIdentity::hash;
  std::uint32_t rule = 0;  ///< that it serves by, as srp_sampling has it; 0: not said
};

/// The verification rule that each profile's requests are served by, as srp_sampling has it: 0
/// where pools of different rules serve the profile, so that none can be required.
[[nodiscard]] std::vector<std::uint32_t> rules_of_profiles(const Scenario& scenario);

/// A verification rule as srp_sampling has it.
[[nodiscard]] std::uint32_t abi_rule(Rule rule);

/// Tokenizer, KV block and mask: what one side must have in common with the other, whatever it
/// samples with.
void set_binding(srp_side& side, const Backend& backend, TokenizerIdentity identity);

/// One side of a pairing as it serves one profile.
/// @param applied the sampling parameters it claims, or really applies
/// @param provenance SRP_CLAIMED, SRP_VERIFIED_AT_BIND or SRP_LIVE
[[nodiscard]] srp_side fingerprint(const srp_module& module, const Backend& backend,
                                   const Instance& instance, const Sampling& applied,
                                   std::uint32_t provenance);

/// What the requests of a profile ask for.
[[nodiscard]] srp_profile required_profile(const srp_module& module, ProfileId id,
                                           const Sampling& sampling, std::uint32_t rule = 0);

}  // namespace specroute::sim
