#include <array>

#include "router/gate.hpp"

namespace specroute::router {
namespace {

constexpr std::uint32_t kPlace = SRP_FP_TOKENIZER | SRP_FP_KV;  // what the seed's binding names
constexpr std::uint32_t kAll = kPlace | SRP_FP_MASK | SRP_FP_PARAMS;

// id, name, judge, at_bind, reads_baseline, rebinds, falls_back, match
constexpr std::array<Gate, 7> kGates{{
    {SRP_GATE_NONE, "none", judge_none, nullptr, false, false, false, 0},
    {SRP_GATE_DELTA_ONLY, "delta_only", judge_delta_only, nullptr, true, true, false,
     kPlace | SRP_FP_MASK},
    {SRP_GATE_HASH_ONLY, "hash_only", judge_hash_only, nullptr, false, true, false,
     SRP_FP_TOKENIZER | SRP_FP_PARAMS},
    {SRP_GATE_COOLDOWN_ONLY, "cooldown_only", judge_cooldown_only, nullptr, false, false, false, 0},
    {SRP_GATE_PARAMS_HASH, "params_hash", judge_params_hash, nullptr, true, true, true,
     kPlace | SRP_FP_PARAMS},
    {SRP_GATE_VALIDITY, "validity", judge_validity, bind_validity, true, true, true, kAll},
    {SRP_GATE_VALIDITY_SAFE, "validity_safe", judge_validity_safe, bind_validity_safe, true, true,
     true, kAll},
}};

}  // namespace

std::span<const Gate> gates() {
  return kGates;
}

const Gate* find_gate(std::uint32_t id) {
  return id >= 1 && id <= kGates.size() ? &kGates[id - 1] : nullptr;
}

}  // namespace specroute::router
