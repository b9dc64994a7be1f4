/// @file
/// How an engine schedules: admission, budgets, prefix cache, draft lengths by batch size.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace specroute::sim {

/// When a sequence takes its KV blocks: all that its limit could need at admission, or as its
/// tokens come, with preemption where none are left.
enum class Admission { reserve, on_demand };

struct EngineOptions {
  Admission admission = Admission::reserve;
  std::optional<std::uint32_t> max_batched_tokens;  ///< of one pass: decode first, prefill the rest
  std::optional<std::uint64_t> kv_blocks;           ///< per engine, instead of what memory holds
  bool prefix_caching = false;
};

/// From `sequences` decoding sequences on, a pass drafts `draft_tokens`; 0: it does not draft.
struct DraftTokensFrom {
  std::uint32_t sequences;
  std::uint32_t draft_tokens;
};

struct DraftSchedule {
  std::vector<DraftTokensFrom> by_batch;  ///< rising; below the first, the pool's draft_tokens
  bool cap_at_limit = false;              ///< no draft past a request's token limit

  /// @param otherwise the pool's draft_tokens. @param sequences that decode in the pass.
  [[nodiscard]] std::uint32_t draft_tokens(std::uint32_t otherwise, std::uint32_t sequences) const {
    for (const DraftTokensFrom& step : by_batch)
      if (sequences >= step.sequences) otherwise = step.draft_tokens;
    return otherwise;
  }
};

}  // namespace specroute::sim
