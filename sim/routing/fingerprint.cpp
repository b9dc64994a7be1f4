#include "sim/routing/fingerprint.hpp"

#include <charconv>
#include <optional>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {

std::uint64_t name_hash(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

std::uint32_t abi_rule(Rule rule) {
  return 1 + static_cast<std::uint32_t>(rule);
}

std::vector<std::uint32_t> rules_of_profiles(const Scenario& scenario) {
  std::vector<std::optional<std::uint32_t>> found(scenario.profiles.size());
  for (const RequestClass& each : scenario.classes) {
    const auto rule = abi_rule(scenario.pools[each.pool.index()].speculation.rule);
    auto& known = found[each.profile.index()];
    known = !known || *known == rule ? rule : 0;
  }
  std::vector<std::uint32_t> rules;
  for (const auto& rule : found) rules.push_back(rule.value_or(0));
  return rules;
}

std::uint64_t params_hash_bits(const srp_module& module, std::uint32_t version,
                               const Sampling& sampling, std::uint32_t rule) {
  srp_sampling s{};
  s.temperature = sampling.temperature;
  s.top_p = sampling.top_p;
  s.min_p = sampling.min_p;
  s.repetition_penalty = 1.0;
  s.seed = sampling.seed;
  s.top_k = static_cast<std::int32_t>(sampling.top_k);
  s.rule = rule;
  s.grammar_id = {sampling.grammar.data(), sampling.grammar.size()};
  char hex[17] = {};
  check(module.params_hash(version, &s, hex) == SRP_OK, "params_hash takes any sampling");
  std::uint64_t bits = 0;
  const auto parsed = std::from_chars(hex, hex + 16, bits, 16);
  check(parsed.ec == std::errc{}, "params_hash returns sixteen hex digits");
  return bits;
}

void set_binding(srp_side& side, const Backend& backend, TokenizerIdentity identity) {
  side.tokenizer = identity == TokenizerIdentity::hash ? name_hash(backend.tokenizer)
                                                       : std::uint64_t{backend.vocabulary_tokens};
  side.kv_block_tokens = backend.kv_block_tokens;
  side.mask = static_cast<std::uint32_t>(name_hash(backend.attention_mask));
}

srp_side fingerprint(const srp_module& module, const Backend& backend, const Instance& instance,
                     const Sampling& applied, std::uint32_t provenance) {
  srp_side side{};
  side.backend = abi_id(instance.backend.value);
  side.incarnation = instance.incarnation;
  side.model = name_hash(backend.model);
  set_binding(side, backend, instance.tokenizer_identity);
  side.params_v1 = params_hash_bits(module, 1, applied, instance.rule);
  side.params_v2 = params_hash_bits(module, 2, applied, instance.rule);
  side.known = SRP_FP_TOKENIZER | SRP_FP_PARAMS | SRP_FP_KV | SRP_FP_MASK | SRP_FP_MODEL;
  side.provenance = provenance;
  return side;
}

srp_profile required_profile(const srp_module& module, ProfileId id, const Sampling& sampling,
                             std::uint32_t rule) {
  srp_profile profile{};
  profile.id = abi_id(id.value);
  profile.required_v1 = params_hash_bits(module, 1, sampling, rule);
  profile.required_v2 = params_hash_bits(module, 2, sampling, rule);
  return profile;
}

}  // namespace specroute::sim
