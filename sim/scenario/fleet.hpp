/// @file
/// Pools, backends and the network between them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/scenario/engine_options.hpp"
#include "sim/scenario/hosting.hpp"

namespace specroute::sim {

enum class Role { target, draft };
enum class Rule {
  rejection,
  exact_match,
  one_hot,
  forwarded_logits,
  coupled_match,
  typical,
  threshold,
  synthetic,
};
enum class Forward { tokens, logits };
enum class Precision { bf16, fp8 };
enum class Topology { star, fat_tree };

/// Parameters of the verification rules that have some; the other rules do not read them.
struct RuleParameters {
  double lenience = 1.0;                           ///< of rejection
  double posterior_threshold = 0.0;                ///< of typical
  double posterior_alpha = 0.0;                    ///< of typical
  double threshold_single = 0.0;                   ///< of threshold
  double threshold_acc = 0.0;                      ///< of threshold
  std::vector<double> synthetic_acceptance_rates;  ///< of synthetic: unconditional, by position
  bool draft_probabilities_forwarded = false;      ///< of rejection: the verifier is told q
};

/// How the pairings of a pool speculate.
struct Speculation {
  Rule rule;
  Forward forward;
  std::uint32_t draft_tokens;    ///< gamma, 1..16
  Bytes forwarded_per_position;  ///< draft to target, for one drafted position of one sequence
  std::uint32_t half_batches;    ///< 1: draft and verify in turn; 2: pipelined halves
  RuleParameters rule_parameters = {};
  DraftSchedule schedule = {};
  std::optional<Seconds> draft_timeout = {};  ///< a target that waited so long verifies without
};

/// Backends that may be paired with each other and that serve the same classes.
struct Pool {
  std::string name;
  Speculation speculation;               ///< of a draft pool: never read
  std::vector<PoolId> draft_pools = {};  ///< that its targets draw on besides
};

/// An engine's watch over repetition: it ends a completion whose output ends in `min_count` copies
/// of one pattern of min_pattern..max_pattern tokens.
struct RepetitionDetection {
  std::uint32_t min_pattern_tokens;
  std::uint32_t max_pattern_tokens;
  std::uint32_t min_count;
};

/// An engine service: `engines` copies of one configuration on `tensor_parallel` devices each.
struct Backend {
  std::string name;
  Role role;
  PoolId pool;
  bool standby;  ///< not bound at start; takes over at a fail-over
  std::string rack;
  std::string model;
  Precision precision;
  std::string device;
  std::string engine;  ///< family: vllm, sglang, trtllm
  std::uint32_t tensor_parallel;
  std::uint32_t engines;
  std::string tokenizer;  ///< names the vocabulary; hashed into the fingerprint
  std::uint32_t kv_block_tokens;
  std::string attention_mask;
  std::uint32_t max_sequences;         ///< per engine
  std::uint32_t prefill_chunk_tokens;  ///< prefill tokens that one pass may carry, per engine
  double memory_utilisation;           ///< share of device memory that the engine may use
  std::optional<RepetitionDetection> repetition_detection;  ///< of a target
  EngineOptions options = {};                               ///< of a target
  std::uint32_t vocabulary_tokens = 0;  ///< rows of the vocabulary, padding included; 0: not said
  std::string draft_weights = {};       ///< version; empty: as configured
  Hosting hosting = {};
};

struct InitialPairing {
  BackendId target;
  BackendId draft;
};

struct Network {
  BytesPerSecond nic;
  Seconds nic_latency;         ///< one way, one NIC
  Seconds cross_rack_latency;  ///< added one way when the racks differ
  Bytes flow_threshold;        ///< messages of at least this size are SimGrid flows
  Topology topology = Topology::star;
  std::optional<BytesPerSecond> spine = {};    ///< of a star: shared by all flows
  std::uint32_t uplinks_per_rack = 1;          ///< of a fat tree, each as wide as a NIC
  std::optional<BytesPerSecond> storage = {};  ///< none: weights load in no time
};

}  // namespace specroute::sim
