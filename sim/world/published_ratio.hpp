/// @file
/// Acceptance as a ratio over something else than drafted tokens, as some engines publish it.
#pragma once

#include <specroute/policy_abi.h>

#include "sim/routing/window_report.hpp"
#include "sim/scenario/conditions.hpp"

namespace specroute::sim {

/// Rewrites a window to what a router makes of such a ratio: it takes the denominator for drafted
/// tokens, and has no counts by position.
/// tested_tokens: accepted tokens and first misses, A + (S - F) for S verifications of which F
/// accepted all. verified_positions: drafted tokens + S, or S (gamma + 1) where all drafts are as
/// long.
/// @source ggml-org/llama.cpp pull request 14104; SGLang's forward_ct * num_draft_tokens.
/// @param window with true counts
inline void publish_ratio(WindowReport& window, TelemetryFault::Denominator denominator) {
  window.drafted = denominator == TelemetryFault::Denominator::tested_tokens
                       ? window.accepted + (window.steps - window.whole)
                       : window.drafted + window.steps;
  window.accepted_at = {};
  window.positions = 0;
  window.flags |= SRP_WIN_FROM_RATIO;
}

}  // namespace specroute::sim
