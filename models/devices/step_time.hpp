/// @file
/// Time of one forward pass of an engine: a roofline with imperfect overlap, collectives, and the
/// overheads of launching, scheduling and sampling.
///
/// pass = greater + w lesser + collectives + per pass + per layer * layers + h sequences
///        + per prompt token * prompt tokens,
/// where greater and lesser are max and min of
///   compute = (2 layer params (decode + prefill tokens) + 2 head params decode tokens
///              + 4 layers heads d pairs) / (tp * peak * efficiency)
///   memory  = (weights read + KV bytes of the context) / (tp * bandwidth * efficiency)
/// and w is the overlap loss. So a wider verification is not free even while memory dominates.
///
/// @source Williams et al., "Roofline", CACM 52(4), 2009, for max(compute, memory); efficiencies
/// and overheads: overheads.hpp. Valid for dense models, context below about 32k tokens, tensor
/// parallelism to 8.
#pragma once

#include <algorithm>
#include <cstdint>

#include <specroute/vocab/units.hpp>

#include "models/devices/device.hpp"
#include "models/devices/model_shape.hpp"
#include "models/devices/overheads.hpp"

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
  double sequences = 0.0;       ///< that decode (or draft, or are verified) in this pass
  double tokens_decode = 0.0;   ///< positions computed for them: sequences * (draft tokens + 1)
  double tokens_prefill = 0.0;  ///< prompt tokens of this pass's chunks
  double context_tokens = 0.0;  ///< KV tokens that the decoding sequences hold, summed
  double prefill_pairs = 0.0;   ///< pairs (prompt token, token attended): c (past + c / 2) a chunk
};

/// Everything that `pass_time` needs, in seconds per unit of work. Made once per deployment.
struct StepModel {
  double compute_per_decode_token = 0.0;
  double compute_per_prefill_token = 0.0;
  double compute_per_pair = 0.0;    ///< token and attended token
  double memory_weights = 0.0;      ///< reading the weights once
  double memory_per_context = 0.0;  ///< reading one token's KV
  double overlap_loss = 0.0;
  double device_fixed = 0.0;            ///< per pass: layers, and the latencies of the all-reduces
  double device_per_token = 0.0;        ///< all-reduce bytes of one token
  double host_fixed = 0.0;              ///< engine's work per pass
  double host_per_sequence = 0.0;       ///< engine's work per sequence
  double host_per_prefill_token = 0.0;  ///< engine's work per prompt token
};

/// Reduces a deployment to its coefficients. @param deployment tensor_parallel >= 1.
[[nodiscard]] StepModel step_model(const Deployment& deployment);

/// As above with other efficiencies and overheads, for fitting and for what-if.
[[nodiscard]] StepModel step_model(const Deployment& deployment, const KernelEfficiency& kernels,
                                   const EngineOverheads& overheads);

/// Seconds that `pass` keeps the devices busy: roofline, layers, collectives. 0 without tokens.
[[nodiscard]] inline double device_seconds(const StepModel& model, const Pass& pass) {
  const double tokens = pass.tokens_decode + pass.tokens_prefill;
  if (!(tokens > 0.0)) return 0.0;
  const double decode_pairs =
      pass.sequences > 0.0 ? pass.tokens_decode * pass.context_tokens / pass.sequences : 0.0;
  const double compute = pass.tokens_decode * model.compute_per_decode_token +
                         pass.tokens_prefill * model.compute_per_prefill_token +
                         (decode_pairs + pass.prefill_pairs) * model.compute_per_pair;
  const double memory = model.memory_weights + pass.context_tokens * model.memory_per_context;
  return std::max(compute, memory) + model.overlap_loss * std::min(compute, memory) +
         model.device_fixed + tokens * model.device_per_token;
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

/// Useful arithmetic of `pass`, for achieved FLOP/s: the numerator of `compute` above.
[[nodiscard]] Flops pass_flops(const ModelShape& shape, const Pass& pass);

}  // namespace specroute::models
