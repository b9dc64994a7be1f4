/// @file
/// Random values for every member of a record, drawn field by field from its own source.
#pragma once

#include <random>

#include <specroute/policy_abi.h>

#include "sim/json/json_value.hpp"

namespace specroute::sim {

inline constexpr JsonLayout kLine{.sorted_keys = false, .indentation = 0};

/// Plain bits: large numbers, small ones and zeros are all frequent.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}
  std::uint64_t word() { return bits_() >> (bits_() % 64); }
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(bits_() % bound); }
  std::uint32_t half() { return static_cast<std::uint32_t>(bits_() >> 32U); }
  std::int64_t number() { return static_cast<std::int64_t>(bits_()) >> (bits_() % 64); }

  srp_profile profile() {
    return {.id = word(), .required_v1 = word(), .required_v2 = word(), .reserved = 0};
  }
  srp_side side() {
    return {.backend = word(),
            .incarnation = word(),
            .model = word(),
            .tokenizer = word(),
            .params_v1 = word(),
            .params_v2 = word(),
            .kv_block_tokens = half(),
            .mask = half(),
            .known = below(64),  // one bit more than have names
            .provenance = below(5),
            .reserved = {}};
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace specroute::sim
