/// @file
/// Corruption: a verifier that reads other strings, or other positions, than the draft wrote.
#pragma once

#include <cstdint>

#include <specroute/vocab/check.hpp>

#include "models/degradation/step_hazard.hpp"

namespace specroute::models {

/// What a pairing's two sides disagree on. Padding of a vocabulary is no disagreement: hashes cover
/// the tokens, not the size of the matrix.
struct PairMismatch {
  bool tokenizer = false;       ///< ids mean other strings
  bool kv_block = false;        ///< block sizes differ: transferred blocks land at other positions
  bool attention_mask = false;  ///< mask conventions differ: positions are silently offset
  [[nodiscard]] constexpr bool any() const { return tokenizer || kv_block || attention_mask; }
};

/// Hazards per token past the first block; each in [0, 1], calibrated by the scenario.
struct CorruptionModel {
  double tokenizer_hazard = 0.0;
  double kv_block_hazard = 0.0;
  double attention_mask_hazard = 0.0;
};

/// Whether a token can be corrupted: positions of the first KV block (prompt included) coincide
/// under any block size and any offset of later ones; beyond it they do not.
/// @param position of the token in its sequence, from 0. @param block_tokens of the target, >= 1.
[[nodiscard]] inline bool past_first_block(std::int64_t position, std::int64_t block_tokens) {
  check(position >= 0 && block_tokens >= 1, "positions count from 0 and a block holds a token");
  return position >= block_tokens;
}

/// Hazard of a token past the first block, of either kind: independent causes,
/// 1 - product of (1 - h) over the mismatches there are. 0 without any.
/// @source the shape is ours; the fault class is reported in vllm-project/vllm issues 26744 and
/// 42895 (block sizes), sgl-project/sglang pull requests 23838 (tokenizer) and 39287 (mask).
[[nodiscard]] inline StepHazard corruption_step_hazard(const CorruptionModel& model,
                                                       const PairMismatch& mismatch) {
  StepHazard total;
  const auto add = [&total](bool present, double hazard) {
    if (present) total = either(total, {.verified = hazard, .bonus = hazard});
  };
  add(mismatch.tokenizer, model.tokenizer_hazard);
  add(mismatch.kv_block, model.kv_block_hazard);
  add(mismatch.attention_mask, model.attention_mask_hazard);
  return total;
}

}  // namespace specroute::models
