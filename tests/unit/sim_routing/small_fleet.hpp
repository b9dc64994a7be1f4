/// @file
/// Small scenarios built by hand, with defaults that a test can read at a glance.
///
/// One pool, one profile (temperature 0.7), two targets and two drafts: target 0 serves with draft
/// 2, target 1 stands by, draft 3 is free. Tokens of speculation cross as logits.
#pragma once

#include <string>

#include <specroute/policy_abi.h>

#include "sim/scenario/scenario.hpp"

namespace specroute::sim {

inline constexpr BackendId kTarget{0};
inline constexpr BackendId kStandby{1};
inline constexpr BackendId kDraft{2};
inline constexpr BackendId kSpareDraft{3};
inline constexpr PoolId kPool{0};
inline constexpr ProfileId kProfile{0};

inline Backend small_backend(const std::string& name, Role role) {
  return {.name = name,
          .role = role,
          .pool = kPool,
          .standby = false,
          .rack = "r1",
          .model = role == Role::target ? "big" : "small",
          .precision = Precision::bf16,
          .device = "H100",
          .engine = "vllm",
          .tensor_parallel = 1,
          .engines = 1,
          .tokenizer = "vocabulary",
          .kv_block_tokens = 16,
          .attention_mask = "causal",
          .max_sequences = 64,
          .prefill_chunk_tokens = 512,
          .memory_utilisation = 0.9,
          .repetition_detection = {}};
}

inline RouterSettings small_router() {
  return {.probe_period = Seconds{0.1},
          .probe_timeout = Seconds{0.05},
          .unhealthy_threshold = 3,
          .telemetry_period = Seconds{0.05},
          .telemetry_transport = Seconds{0.01},
          .command_transport = Seconds{0.01},
          .bind_verification = Seconds{0.02},
          .live_after_drafted = 200,
          .verify_parameters_at_bind = false,
          .parameter_verification = Seconds{0.05},
          .reselect_period = Seconds{10.0},
          .no_candidate_retry = Seconds{5.0},
          .dispatch = Dispatch::least_outstanding,
          .max_retries = 2,
          .request_timeout = Seconds{60.0},
          .queue_limit = 100,
          .max_outstanding_per_engine = {}};
}

inline Scenario small_fleet() {
  Scenario s{};
  s.name = "small";
  s.pools = {{.name = "chat",
              .speculation = {.rule = Rule::forwarded_logits,
                              .forward = Forward::logits,
                              .draft_tokens = 2,
                              .forwarded_per_position = Bytes{512.0},
                              .half_batches = 2}}};
  s.backends = {small_backend("target-0", Role::target), small_backend("target-1", Role::target),
                small_backend("draft-0", Role::draft), small_backend("draft-1", Role::draft)};
  s.backends[1].standby = true;
  s.pairings = {{kTarget, kDraft}};
  s.profiles = {{.name = "chat",
                 .sampling = {.temperature = 0.7,
                              .top_p = 0.95,
                              .top_k = 0,
                              .min_p = 0.0,
                              .seed = 17,
                              .grammar = "schema"}}};
  RequestClass chat{};
  chat.name = "chat";
  chat.pool = kPool;
  chat.profile = kProfile;
  s.classes = {chat};
  s.router = small_router();
  return s;
}

inline constexpr BackendId kThird{4};

/// What a job at temperature 0 leaves behind.
inline Sampling stale() {
  Sampling sampling = small_fleet().profiles[0].sampling;
  sampling.temperature = 0.0;
  return sampling;
}

inline const srp_module& module() {
  return *srp_module_get(SRP_ABI_V1);
}

/// The small fleet with a third target, dispatched to by a rule.
inline Scenario three_targets(Dispatch rule) {
  Scenario s = small_fleet();
  s.backends.push_back(small_backend("target-2", Role::target));
  s.router.dispatch = rule;
  return s;
}

}  // namespace specroute::sim
