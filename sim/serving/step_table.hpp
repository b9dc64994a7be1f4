/// @file
/// What one decode step does to one sequence, as integer thresholds: the hot loop's only data.
///
/// A uniform word hits `accepted[k]` with the probability that more than k drafts are accepted, so
/// the accepted count is the number of thresholds that it hits. Hazards are thresholds indexed by
/// the tokens that the step emits, less one. Scale of thresholds: models/random/threshold.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace specroute::sim {

inline constexpr std::size_t kMaxDraftTokens = 16;

/// One row: the steps of a kind of traffic, normal or looping, under one pairing.
struct StepRow {
  std::array<std::uint32_t, kMaxDraftTokens> accepted{};
  std::array<std::uint32_t, kMaxDraftTokens + 1> loop{};  ///< entry; of a looping row, escape
  std::array<std::uint32_t, kMaxDraftTokens + 1> schema{};
  std::array<std::uint32_t, kMaxDraftTokens + 1> corruption{};
};

/// All rows of a pairing; index: TrafficRow.
struct StepTables {
  std::uint32_t draft_tokens = 0;  ///< gamma; 0 where the target decodes alone
  std::vector<StepRow> rows;
};

/// Steps by outcome of one row, cumulative: `steps_accepting[a]` steps accepted a drafts.
struct RowCounts {
  std::array<std::uint64_t, kMaxDraftTokens + 1> steps_accepting{};
  std::uint64_t not_drafted = 0;  ///< draft tokens short of gamma, near requests' limits
};

}  // namespace specroute::sim
