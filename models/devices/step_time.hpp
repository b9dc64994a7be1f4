/// @file
/// Time of one forward pass of an engine: kernels, collectives, and the overheads of launching,
/// scheduling and sampling.
///
/// pass = max(L(tokens) + head(sampled) + A, [no graph] layers * eager)
///        + per pass + per sequence * sequences + per prompt token * prompt tokens,
/// where, summed over the layers and shared by the tensor-parallel group,
///   L(tokens) = products (kernels.hpp) of queries-keys-values, output, gate-up and down
///             + activations: 2 bytes (8 hidden + 2 (heads + 2 KV heads) d + 3 intermediate) a
///             token
///               at the memory rate of products: norms, rotations, residuals, gating
///             + 2 all-reduces of 2 hidden bytes a token (collective.hpp)
///             + launch of attention + per layer [+ per quantised layer];
///   A = max(KV bytes of the context / rate, verified pairs / compute) + task sequences
///       + the ramp of its streams + prompt pairs / compute.
/// An expert's weights are read if any token visits it. A pass with prompt tokens that no CUDA
/// graph covers is launched kernel by kernel, and that takes as long as it takes.
///
/// @source kernels: kernels.hpp; overheads: overheads.hpp; errors: docs/validation.md. Valid for
/// context below about 32k tokens, tensor parallelism to 8, head dimensions 64 to 128.
#pragma once

#include <algorithm>
#include <cstdint>

#include <specroute/vocab/units.hpp>

#include "models/devices/device.hpp"
#include "models/devices/kernels.hpp"
#include "models/devices/model_shape.hpp"
#include "models/devices/overheads.hpp"
#include "models/devices/token_table.hpp"

namespace specroute::models {

/// A model on devices. The references must outlive it; catalogue entries live for ever.
struct Deployment {
  const Device& device;
  const ModelShape& shape;
  Precision precision = Precision::bf16;
  std::uint32_t tensor_parallel = 1;  ///< devices per engine, >= 1
  EngineFamily engine = EngineFamily::vllm;
  double kv_element_bytes = 2.0;  ///< 2 for bf16, 1 for fp8
};

/// The work of one pass. All >= 0; fractions are allowed, so means can be asked for.
struct Pass {
  double sequences = 0.0;       ///< that decode, are verified, or have prompt tokens in this pass
  double tokens_decode = 0.0;   ///< positions computed for them: sequences * (draft tokens + 1)
  double tokens_prefill = 0.0;  ///< prompt tokens of this pass's chunks
  double context_tokens = 0.0;  ///< KV tokens that the decoding sequences hold, summed
  double prefill_pairs = 0.0;   ///< pairs (prompt token, token attended): c (past + c / 2) a chunk
};

/// Everything that `pass_time` needs, in seconds. Made once per deployment; copies share tables.
struct StepModel {
  TokenTable layers;                   ///< by tokens of the pass
  TokenTable head;                     ///< by positions that are sampled
  double device_fixed = 0.0;           ///< per pass
  double attention_per_context = 0.0;  ///< reading one token's KV
  double attention_per_sequence = 0.0;
  double attention_ramp = 0.0;          ///< per token of mean context, up to `kTokensPerStream`
  double verified_per_pair = 0.0;       ///< (position, token attended) of decoding sequences
  double prefill_per_pair = 0.0;        ///< the same of prompt tokens
  double eager_floor = 0.0;             ///< least time of a pass without a graph
  double graph_tokens = 0.0;            ///< a pass with prompt tokens beyond it has none
  double host_fixed = 0.0;              ///< engine's work per pass
  double host_per_sequence = 0.0;       ///< engine's work per sequence
  double host_per_prefill_token = 0.0;  ///< engine's work per prompt token
};

/// Reduces a deployment to its tables. About 1 ms. @param deployment tensor_parallel >= 1.
[[nodiscard]] StepModel step_model(const Deployment& deployment);

/// As above with other kernels and overheads, for fitting and for what-if.
[[nodiscard]] StepModel step_model(const Deployment& deployment, const Kernels& kernels,
                                   const EngineOverheads& overheads);

/// Seconds of attention in `pass`.
[[nodiscard]] inline double attention_seconds(const StepModel& model, const Pass& pass) {
  double seconds = pass.prefill_pairs * model.prefill_per_pair;
  if (pass.context_tokens > 0.0 && pass.sequences > 0.0) {
    const double mean_context = pass.context_tokens / pass.sequences;
    seconds += std::max(pass.context_tokens * model.attention_per_context,
                        pass.tokens_decode * mean_context * model.verified_per_pair) +
               pass.sequences * model.attention_per_sequence +
               std::min(mean_context, kTokensPerStream) * model.attention_ramp;
  }
  return seconds;
}

/// Seconds that `pass` keeps the devices busy. 0 without tokens.
[[nodiscard]] inline double device_seconds(const StepModel& model, const Pass& pass) {
  const double tokens = pass.tokens_decode + pass.tokens_prefill;
  if (!(tokens > 0.0)) return 0.0;
  // A prompt that ends in this pass samples its first token.
  const double sampled = std::max(pass.tokens_decode, pass.sequences);
  const double seconds = model.layers.at(tokens) + model.head.at(sampled) + model.device_fixed +
                         attention_seconds(model, pass);
  const bool eager = pass.tokens_prefill > 0.0 && tokens > model.graph_tokens;
  return eager ? std::max(seconds, model.eager_floor) : seconds;
}

/// Seconds that the engine's host work adds to `pass`. 0 without tokens: no pass is launched.
[[nodiscard]] inline double host_seconds(const StepModel& model, const Pass& pass) {
  if (!(pass.tokens_decode + pass.tokens_prefill > 0.0)) return 0.0;
  return model.host_fixed + pass.sequences * model.host_per_sequence +
         pass.tokens_prefill * model.host_per_prefill_token;
}

/// Duration of one engine step with one forward pass: devices plus host.
[[nodiscard]] inline Seconds pass_time(const StepModel& model, const Pass& pass) {
  return Seconds{device_seconds(model, pass) + host_seconds(model, pass)};
}

/// Duration of one engine step of `passes` equal passes in a row, as a draft engine makes gamma
/// tokens: the devices work `passes` times, the host schedules once (multi-step scheduling; an
/// engine that returns to its scheduler after every draft token takes passes * pass_time).
/// @param passes >= 0. The context's growth within the round (< gamma tokens) is neglected.
[[nodiscard]] inline Seconds round_time(const StepModel& model, const Pass& pass, double passes) {
  if (!(passes > 0.0)) return Seconds{0.0};
  return Seconds{passes * device_seconds(model, pass) + host_seconds(model, pass)};
}

/// What many passes came to, as far as their arithmetic goes.
struct WorkDone {
  double decode_tokens = 0.0;  ///< positions of decoding sequences
  double prompt_tokens = 0.0;
  double pairs = 0.0;  ///< (position, token attended)

  /// `times` passes like this one.
  void add(const Pass& pass, double times = 1.0) {
    decode_tokens += times * pass.tokens_decode;
    prompt_tokens += times * pass.tokens_prefill;
    pairs += times * pass.prefill_pairs;
    if (pass.sequences > 0.0)
      pairs += times * pass.tokens_decode * (pass.context_tokens / pass.sequences);
  }
  void add(const WorkDone& other) {
    decode_tokens += other.decode_tokens;
    prompt_tokens += other.prompt_tokens;
    pairs += other.pairs;
  }
};

/// Useful arithmetic of `work`: matrices, head and attention.
[[nodiscard]] Flops work_flops(const ModelShape& shape, const WorkDone& work);

/// Useful arithmetic of `pass`, for achieved FLOP/s: matrices, head and attention.
[[nodiscard]] Flops pass_flops(const ModelShape& shape, const Pass& pass);

}  // namespace specroute::models
