#include <array>

#include "router/gate.hpp"

namespace specroute::router {
namespace {

constexpr std::uint32_t kPlace = SRP_FP_TOKENIZER | SRP_FP_KV;  // what the seed's binding names
constexpr std::uint32_t kAll = kPlace | SRP_FP_MASK | SRP_FP_PARAMS;

/// A gate that compares with the paired baseline and re-binds by acceptance alone.
constexpr Gate acceptance_gate(Gate gate) {
  gate.reads_baseline = true;
  gate.rebinds = true;
  gate.match = kPlace | SRP_FP_MASK;
  return gate;
}

constexpr std::array<Gate, 18> kGates{{
    {.id = SRP_GATE_NONE, .name = "none", .judge = judge_none},
    {.id = SRP_GATE_DELTA_ONLY,
     .name = "delta_only",
     .judge = judge_delta_only,
     .reads_baseline = true,
     .rebinds = true,
     .match = kPlace | SRP_FP_MASK},
    {.id = SRP_GATE_HASH_ONLY,
     .name = "hash_only",
     .judge = judge_hash_only,
     .rebinds = true,
     .match = SRP_FP_TOKENIZER | SRP_FP_PARAMS},
    {.id = SRP_GATE_COOLDOWN_ONLY, .name = "cooldown_only", .judge = judge_cooldown_only},
    {.id = SRP_GATE_PARAMS_HASH,
     .name = "params_hash",
     .judge = judge_params_hash,
     .reads_baseline = true,
     .rebinds = true,
     .falls_back = true,
     .match = kPlace | SRP_FP_PARAMS},
    {.id = SRP_GATE_VALIDITY,
     .name = "validity",
     .judge = judge_validity,
     .at_bind = bind_validity,
     .reads_baseline = true,
     .rebinds = true,
     .falls_back = true,
     .match = kAll},
    {.id = SRP_GATE_VALIDITY_SAFE,
     .name = "validity_safe",
     .judge = judge_validity_safe,
     .at_bind = bind_validity_safe,
     .reads_baseline = true,
     .rebinds = true,
     .falls_back = true,
     .match = kAll},
    acceptance_gate({.id = SRP_GATE_LATENCY_TIEBREAK,
                     .name = "latency_tiebreak",
                     .judge = judge_latency_tiebreak,
                     .carry = carry_latency}),
    {.id = SRP_GATE_GLOBAL_MEAN,
     .name = "global_mean",
     .judge = judge_global_mean,
     .reads_fleet = true,
     .rebinds = true,
     .match = kPlace | SRP_FP_MASK},
    acceptance_gate(
        {.id = SRP_GATE_EWMA, .name = "ewma", .judge = judge_ewma, .observe = observe_ewma}),
    {.id = SRP_GATE_LOW_THRESHOLD, .name = "low_threshold", .judge = judge_low_threshold},
    acceptance_gate(
        {.id = SRP_GATE_CUSUM, .name = "cusum", .judge = judge_cusum, .observe = observe_cusum}),
    acceptance_gate(
        {.id = SRP_GATE_SPRT, .name = "sprt", .judge = judge_sprt, .observe = observe_sprt}),
    acceptance_gate({.id = SRP_GATE_MANN_WHITNEY,
                     .name = "mann_whitney",
                     .judge = judge_mann_whitney,
                     .observe = observe_mann_whitney,
                     .carry = carry_ranks}),
    {.id = SRP_GATE_BANDIT,
     .name = "bandit",
     .judge = judge_bandit,
     .observe = observe_bandit,
     .reads_fleet = true},
    {.id = SRP_GATE_OUTLIER, .name = "outlier", .judge = judge_outlier, .reads_fleet = true},
    {.id = SRP_GATE_ERROR_BREAKER,
     .name = "error_breaker",
     .judge = judge_error_breaker,
     .reads_health = true},
    {.id = SRP_GATE_QUALITY_PROBE,
     .name = "quality_probe",
     .judge = judge_quality_probe,
     .reads_quality = true},
}};

}  // namespace

std::span<const Gate> gates() {
  return kGates;
}

const Gate* find_gate(std::uint32_t id) {
  return id >= 1 && id <= kGates.size() ? &kGates[id - 1] : nullptr;
}

}  // namespace specroute::router
