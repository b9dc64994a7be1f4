/// @file
/// From hazards per token to one coin flip per verification step.
///
/// A step of a draft of gamma tokens that accepts a emits a + 1 tokens. If a < gamma, all a + 1
/// come from verified positions (the accepted ones and the correction); if a = gamma, gamma do, and
/// the last is the bonus token. The two kinds may carry different hazards, as under
/// `forwarded_logits` verified positions follow the draft's parameters and the bonus token the
/// request's.
#pragma once

#include <array>
#include <cstdint>

#include "models/random/threshold.hpp"
#include "models/speculation/acceptance.hpp"

namespace specroute::models {

/// How many tokens of each kind a step emits.
struct EmittedTokens {
  int verified;
  int bonus;
};

/// a + 1 and 0 below a full acceptance; gamma and 1 at it (0 and 1 without a draft).
/// @param accepted in [0, draft_tokens]. @param draft_tokens in [0, kMaxDraftTokens].
[[nodiscard]] EmittedTokens emitted_tokens(int accepted, int draft_tokens);

/// Probability, per token, that something bad starts at it; each in [0, 1].
struct StepHazard {
  double verified = 0.0;
  double bonus = 0.0;
};

/// Independent causes of one outcome: 1 - (1 - h1)(1 - h2), for each kind of token.
[[nodiscard]] StepHazard either(const StepHazard& one, const StepHazard& other);

/// Probability that at least one of the step's tokens starts it:
/// 1 - (1 - h_v)^v (1 - h_b)^b. Exact for small hazards too (log1p, expm1). @return in [0, 1].
[[nodiscard]] double step_probability(const StepHazard& hazard, const EmittedTokens& tokens);

/// `step_probability` as thresholds, indexed by the accepted count of a step: the hot loop draws
/// one word, `hits(word, thresholds[accepted])`. Entries above `draft_tokens` are 0.
/// Resolution: 2^-31 (threshold.hpp).
using StepThresholds = std::array<std::uint32_t, kMaxDraftTokens + 1>;
/// @param hazard each in [0, 1]. @param draft_tokens in [0, kMaxDraftTokens].
[[nodiscard]] StepThresholds step_thresholds(const StepHazard& hazard, int draft_tokens);

}  // namespace specroute::models
