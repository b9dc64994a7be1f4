/// @file
/// Counts out of published ratios, and what an acceptance rate was taken over.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/replay/engine_windows.hpp"

namespace specroute::sim {

/// What a published acceptance rate divides by. Engines changed it between versions.
enum class Denominator : std::uint8_t {
  drafted,            ///< accepted / drafted tokens
  drafted_and_bonus,  ///< accepted and bonus tokens / (drafted tokens + 1 per step)
  steps,              ///< accepted and bonus tokens / drafted tokens
  unknown,            ///< no rate, or one that fits none of these
};

/// Which of them makes the rate that came with the length, for `draft_tokens` per step and two
/// decimals. @source SGLang, scheduler_metrics_mixin.py and its predecessors: all three were used
[[nodiscard]] Denominator denominator_of(double length, std::optional<double> rate,
                                         std::uint64_t draft_tokens);

/// Fills drafted and accepted tokens: steps x draft_tokens, steps x (length - 1). False where more
/// were accepted than drafted, beyond rounding.
[[nodiscard]] bool derive_counts(EngineWindow& window, std::uint64_t draft_tokens);

[[nodiscard]] const char* denominator_name(Denominator denominator);

}  // namespace specroute::sim
