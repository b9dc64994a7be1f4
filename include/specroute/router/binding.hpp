/// @file
/// The seed's BackendBinding and params_hash, over the C table. Header-only: a program that has
/// the table of any module (linked or loaded) needs nothing else.
#pragma once

#include <specroute/policy_abi.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace specroute::router {

/// One side of a pairing as the seed names it.
struct BackendBinding {
  std::string backend_id;
  std::string tokenizer_hash;
  std::string params_hash;  ///< of (temperature, top_p, seed, grammar_id)
  std::int64_t kv_block_size = 0;
};

/// The module that is linked into this program. Not needed by a host that loads one.
inline const srp_module& linked_module() {
  return *srp_module_get(SRP_ABI_V1);
}

/// params_hash version 1 of the seed: the first 16 hex digits of SHA-256 over
/// "{temperature:.4f}|{top_p:.4f}|{seed}|{grammar_id}". Any double is accepted. Empty where the
/// module cannot hash.
inline std::string params_hash(double temperature, double top_p, std::int64_t seed,
                               std::string_view grammar_id,
                               const srp_module& module = linked_module()) {
  srp_sampling sampling{};
  sampling.temperature = temperature;
  sampling.top_p = top_p;
  sampling.seed = seed;
  sampling.grammar_id = {grammar_id.data(), grammar_id.size()};
  std::array<char, 17> digits{};
  return module.params_hash(1, &sampling, digits.data()) == SRP_OK ? std::string(digits.data())
                                                                   : std::string();
}

/// params_hash of all sampling parameters, version 1 or 2 (2 also covers top_k, min_p and the
/// penalties). Empty where the module refuses.
inline std::string params_hash(std::uint32_t version, const srp_sampling& sampling,
                               const srp_module& module = linked_module()) {
  std::array<char, 17> digits{};
  return module.params_hash(version, &sampling, digits.data()) == SRP_OK
             ? std::string(digits.data())
             : std::string();
}

/// The 64 bits of 16 lower-case hex digits, as srp_side carries them; false where `text` is
/// anything else.
inline bool hash_bits(std::string_view text, std::uint64_t& bits) {
  if (text.size() != 16) return false;
  for (const char c : text)
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
  std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  return true;
}

}  // namespace specroute::router
