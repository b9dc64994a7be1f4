#include "sim/routing/fingerprint.hpp"

#include <gtest/gtest.h>

#include "tests/unit/sim_routing/small_fleet.hpp"

namespace specroute::sim {
namespace {

Sampling requested() {
  return small_fleet().profiles[0].sampling;
}

TEST(Fingerprint, GivesEqualBitsForEqualParameters) {
  for (const std::uint32_t version : {1U, 2U})
    EXPECT_EQ(params_hash_bits(module(), version, requested()),
              params_hash_bits(module(), version, requested()));
}

// sha256("0.7000|0.9500|17|schema"), first 16 hex digits, by an independent SHA-256.
TEST(Fingerprint, IsTheLeadingBitsOfTheSeedsHash) {
  EXPECT_EQ(params_hash_bits(module(), 1, requested()), 0x756371a544daaea0ULL);
}

TEST(Fingerprint, SeesATemperatureOverrideInBothVersions) {
  Sampling stale = requested();
  stale.temperature = 0.0;
  for (const std::uint32_t version : {1U, 2U})
    EXPECT_NE(params_hash_bits(module(), version, stale),
              params_hash_bits(module(), version, requested()));
}

TEST(Fingerprint, SeesTopKInVersionTwoOnly) {
  Sampling other = requested();
  other.top_k = 50;
  EXPECT_EQ(params_hash_bits(module(), 1, other), params_hash_bits(module(), 1, requested()));
  EXPECT_NE(params_hash_bits(module(), 2, other), params_hash_bits(module(), 2, requested()));
}

TEST(Fingerprint, TellsBackendsApartByWhatARouterCompares) {
  const Scenario s = small_fleet();
  Backend other = s.backends[2];
  other.tokenizer = "other";
  other.attention_mask = "prefix";
  other.kv_block_tokens = 32;
  const srp_side a = fingerprint(module(), s.backends[2], {kDraft, 4}, requested(), SRP_LIVE);
  const srp_side b = fingerprint(module(), other, {kDraft, 4}, requested(), SRP_LIVE);
  EXPECT_NE(a.tokenizer, b.tokenizer);
  EXPECT_NE(a.mask, b.mask);
  EXPECT_NE(a.kv_block_tokens, b.kv_block_tokens);
  EXPECT_EQ(a.params_v1, b.params_v1);
  EXPECT_EQ(a.backend, 3U);  // ids cross the ABI from 1
  EXPECT_EQ(a.incarnation, 4U);
  EXPECT_EQ(a.provenance, static_cast<std::uint32_t>(SRP_LIVE));
  EXPECT_EQ(a.known, 31U);
}

// A profile that pools of two rules serve cannot ask for either.
TEST(Fingerprint, RequiresTheRuleOfThePoolsWhereTheyAgree) {
  Scenario s = small_fleet();
  const std::uint32_t rule = abi_rule(s.pools[0].speculation.rule);
  EXPECT_EQ(rules_of_profiles(s)[0], rule);
  EXPECT_NE(params_hash_bits(module(), 2, requested(), rule),
            params_hash_bits(module(), 2, requested()));
  EXPECT_EQ(params_hash_bits(module(), 1, requested(), rule),
            params_hash_bits(module(), 1, requested()));
  s.pools.push_back(s.pools[0]);
  s.pools.back().speculation.rule = Rule::one_hot;
  s.classes.push_back(s.classes[0]);
  s.classes.back().pool = PoolId{static_cast<std::uint32_t>(s.pools.size() - 1)};
  EXPECT_EQ(rules_of_profiles(s)[0], 0U);
}

TEST(Fingerprint, StatesWhatAProfileRequires) {
  const srp_profile profile = required_profile(module(), kProfile, requested());
  EXPECT_EQ(profile.id, 1U);
  EXPECT_EQ(profile.required_v1, params_hash_bits(module(), 1, requested()));
  EXPECT_EQ(profile.required_v2, params_hash_bits(module(), 2, requested()));
}

}  // namespace
}  // namespace specroute::sim
