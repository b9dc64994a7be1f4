/// @file
/// The scenario as the simulator uses it: names resolved to ids, units as types, defaults filled.
///
/// `read_scenario` (reader.hpp) makes it from a JSON file that the JSON Schema accepts; nothing
/// here has a default of its own, so that no value can hide from the resolved scenario.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "models/speculation/acceptance_decay.hpp"

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
};

/// Backends that may be paired with each other and that serve the same classes.
struct Pool {
  std::string name;
  Speculation speculation;
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
};

/// Sampling parameters as a request asks for them or as an override sets them.
struct Sampling {
  double temperature;
  double top_p;
  std::uint32_t top_k;  ///< 0: off
  double min_p;
  std::int64_t seed;
  std::string grammar;  ///< empty: none
};

struct SamplingProfile {
  std::string name;
  Sampling sampling;
};

struct LengthDistribution {
  enum class Kind { fixed, lognormal, geometric };
  Kind kind;
  double mean_tokens;  ///< of the untruncated distribution
  double cv;           ///< coefficient of variation of a lognormal; else 0
  std::uint32_t limit_tokens;
};

/// From `from` on, the class's text is of this content (it selects the token-pair model).
struct ContentPhase {
  Seconds from;
  std::string content;
};

struct RequestClass {
  std::string name;
  PoolId pool;
  ProfileId profile;
  double rate_per_s;  ///< Poisson
  LengthDistribution prompt;
  LengthDistribution output;
  std::vector<ContentPhase> content;
  Seconds ttft_slo;
  Seconds tpot_slo;
};

/// One published or measured figure that the token-pair model is calibrated on.
struct AcceptanceFigure {
  enum class Kind {
    rejection_rate,
    exact_match_rate,
    argmax_agreement_rate,
    mean_acceptance_length,
  };
  Kind kind;
  double value;       ///< accepted / drafted; of a length, 1 + accepted / drafts
  Rule rule;          ///< of a mean acceptance length
  Sampling sampling;  ///< of both sides; ignored for argmax agreement
  std::uint32_t draft_tokens;
};

/// Acceptance by position in a draft, as a healthy pair was measured.
struct PerPosition {
  std::vector<double> conditional;
  Rule rule;
  Sampling sampling;  ///< of both sides
};

/// What is not calibrated of a pair whose draft differs from its target by information.
struct InformationPair {
  double sharpness;
  double evidence_spread;
  double drift;
};

/// Token-pair model of (target model, draft model, content): either given or calibrated.
struct AcceptancePair {
  std::string target_model;
  std::string draft_model;
  std::string content;
  double kappa;  ///< where two figures are given, or the parameters
  std::optional<double> sharpness;
  std::optional<double> noise;
  std::vector<AcceptanceFigure> calibrate;
  std::optional<InformationPair> information = {};         ///< none: the draft differs by error
  std::optional<PerPosition> per_position = {};            ///< none: every position alike
  double correlation = 0.0;                                ///< over the steps of one request
  std::optional<models::ContextDecay> context_decay = {};  ///< none: the same at any length
};

struct Degradation {
  double loop_hazard_at_zero_entropy;  ///< per emitted token
  double loop_greedy_to_sampled_ratio;
  double loop_reference_temperature;   ///< sampling at which the ratio was measured
  double looping_acceptance;           ///< per position, of a looping sequence
  double schema_hazard_per_token;      ///< per token emitted outside the request's grammar
  double corruption_hazard_per_token;  ///< per token past the first block of a mismatched pair
  double loop_escape_hazard;           ///< per token of a looping sequence; 0: loops do not end
  std::uint32_t loop_period_tokens;    ///< what a detector has to recognise
};

enum class Dispatch { round_robin, least_outstanding, weighted_by_reward };

struct RouterSettings {
  Seconds probe_period;
  Seconds probe_timeout;
  std::uint32_t unhealthy_threshold;  ///< consecutive failed probes
  Seconds telemetry_period;
  Seconds telemetry_transport;
  Seconds command_transport;         ///< one way, router to backend
  Seconds bind_verification;         ///< tokenizer, KV block and mask handshake at bind
  std::uint64_t live_after_drafted;  ///< drafted tokens before telemetry has live parameters
  bool verify_parameters_at_bind;
  Seconds parameter_verification;  ///< its round trip, paid only where verified at bind
  Seconds reselect_period;
  Seconds no_candidate_retry;  ///< a bind that found no candidate is tried again
  Dispatch dispatch;
  std::uint32_t max_retries;  ///< of one request, after backend failures
  Seconds request_timeout;    ///< from arrival
  std::uint32_t queue_limit;  ///< requests waiting at the router for a pairing
  std::optional<std::uint32_t> max_outstanding_per_engine;  ///< of one target; more wait
};

/// A gate under test: a label and the policy configuration as JSON text, handed to the library.
struct Gate {
  std::string label;
  std::string config_json;
};

struct Fault {
  enum class Kind { crash };
  Kind kind;
  BackendId backend;
  Seconds at;
  std::optional<Seconds> restart_after;
};

/// Someone sets sampling parameters on a backend; stale once the owner is gone and they are not.
struct Override {
  BackendId backend;
  std::string owner;
  Seconds from;
  Seconds owner_gone;
  std::optional<Seconds> until;
  bool replaces_block;  ///< true: the whole block, grammar included; false: a patch
  std::optional<double> temperature;
  std::optional<double> top_p;
  std::optional<std::uint32_t> top_k;
  std::optional<double> min_p;
  std::optional<std::int64_t> seed;
  std::optional<std::string> grammar;  ///< empty text: none
};

/// A declared expectation on a metric of the summary.
struct Expectation {
  std::string gate;
  std::string metric;  ///< dotted path in the gate's summary
  bool every_seed;     ///< else the mean over seeds
  std::optional<double> min;
  std::optional<double> max;
  bool is_null;  ///< the metric must not apply
};

struct Scenario {
  std::string name;  ///< file stem
  std::string title;
  std::string question;
  Seconds horizon;      ///< arrivals end here
  Seconds drain_limit;  ///< after that, requests still in flight end as `unfinished`
  std::vector<Pool> pools;
  std::vector<Backend> backends;
  std::vector<InitialPairing> pairings;
  Network network;
  std::vector<SamplingProfile> profiles;
  std::vector<RequestClass> classes;
  std::uint32_t vocabulary_slice;
  std::vector<AcceptancePair> acceptance;
  Degradation degradation;
  RouterSettings router;
  std::vector<Gate> gates;
  std::vector<Fault> faults;
  std::vector<Override> overrides;
  std::vector<Expectation> expect;
  std::string resolved_json;  ///< defaults written out, keys sorted; what the hash covers
};

}  // namespace specroute::sim
