/// @file
/// What a speculative round costs in plain decode steps, from the step-time model alone.
#pragma once

#include <optional>

#include "models/devices/step_time.hpp"

namespace specroute::sim::validation {

/// A target with its chain draft, as sim/serving times them.
struct ChainRound {
  models::StepModel target;
  std::optional<models::StepModel> draft;  ///< none: tokens are looked up, at no cost (n-grams)
  int draft_tokens = 1;                    ///< gamma >= 1
  double context = 0.0;                    ///< KV tokens of a sequence, mean; >= 0
};

/// T_round(B) / T_plain(B): gamma draft passes of B positions and one verification of B (gamma +
/// 1), over one decode step of B. Drafting and verification follow each other.
/// @param batch sequences, > 0. @return > 0.
[[nodiscard]] double relative_round_time(const ChainRound& round, double batch);

/// Tokens per round over `relative_round_time`: theorem 3.8 of Leviathan et al. 2023 where a
/// verification costs one step whatever the batch.
[[nodiscard]] double speed_up(const ChainRound& round, double batch, double tokens_per_round);

}  // namespace specroute::sim::validation
