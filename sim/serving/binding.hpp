/// @file
/// A pairing as an engine executes it: whom it drafts with, over what network, under which tables.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "sim/serving/draft_engine.hpp"
#include "sim/serving/sequence.hpp"
#include "sim/serving/step_table.hpp"

namespace specroute::sim {

/// Drafts shorter than gamma, as a schedule by batch size asks for them.
struct ShorterDrafts {
  std::uint32_t draft_tokens = 0;  ///< 1 to gamma - 1
  const StepTables* tables = nullptr;
  std::vector<RowCounts> counts = {};    ///< cumulative since bind, by row
  std::vector<RowCounts> reported = {};  ///< the caller's, at its last reading
};

/// Owned by the world, at a stable address; the engines of one target backend share it.
struct Binding {
  PairingId pairing;
  CircumstanceId circumstance;  ///< that cycles which begin now run under
  std::vector<DraftEngine*>
      drafts;  ///< target engine e drafts with drafts[e mod size]; empty: none
  const StepTables* tables = nullptr;
  const StepTables* alone = nullptr;  ///< the same traffic when the target decodes alone
  bool draft_alive = true;            ///< the connection: an engine notices at once when it breaks
  std::uint32_t draft_tokens = 0;     ///< gamma
  Seconds to_draft{0.0};              ///< one way, verified tokens to the draft
  Seconds from_draft{0.0};            ///< one way, latency of the drafts' message
  BytesPerSecond bandwidth{1.0};
  /// Drafts of at least this size share the network's links as a flow.
  Bytes flow_from{std::numeric_limits<double>::infinity()};
  Seconds flow_delay{0.0};  ///< before such a flow begins: latency that is no link's
  /// The draft runs on the target's own devices: its passes come before each verification, in the
  /// target's time, and nothing crosses a network.
  bool co_located = false;
  Bytes per_position{0.0};        ///< forwarded for one drafted position of one sequence
  std::vector<RowCounts> counts;  ///< cumulative since bind, by row
  /// The same of one engine alone, for telemetry that reads no other; empty where nobody does. A
  /// schedule's shorter drafts are not in it.
  std::vector<RowCounts> sampled;
  std::uint32_t sampled_engine = 0;
  /// Steps without drafts of a pairing that has a draft: an engine counts no drafts that were never
  /// made, or a dead draft would look like a draft of acceptance 0. Sized by the engine.
  std::vector<RowCounts> undrafted;
  std::vector<ShorterDrafts> shorter;  ///< one for each draft length of the schedule, rising

  /// The tables of another state of the same two ends. They outlive every pass made under them.
  void use(const StepTables& full, const std::vector<StepTables>& scheduled) {
    tables = &full;
    shorter.resize(scheduled.size());
    for (std::size_t i = 0; i < scheduled.size(); ++i) {
      shorter[i].draft_tokens = scheduled[i].draft_tokens;
      shorter[i].tables = &scheduled[i];
      shorter[i].counts.resize(scheduled[i].rows.size());
      shorter[i].reported.resize(scheduled[i].rows.size());
    }
  }
  /// What passes of so many draft tokens run under; `alone` for 0.
  [[nodiscard]] const StepTables* tables_of(std::uint32_t tokens) const {
    for (const ShorterDrafts& each : shorter)
      if (each.draft_tokens == tokens) return each.tables;
    return tokens == 0 ? alone : tables;
  }
  /// Where passes of so many draft tokens are counted.
  [[nodiscard]] std::vector<RowCounts>& counts_of(std::uint32_t tokens) {
    if (tokens == draft_tokens) return counts;
    for (ShorterDrafts& each : shorter)
      if (each.draft_tokens == tokens) return each.counts;
    undrafted.resize(counts.size());
    return undrafted;
  }
};

}  // namespace specroute::sim
