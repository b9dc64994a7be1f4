/// @file
/// A pairing as an engine executes it: whom it drafts with, over what network, under which tables.
#pragma once

#include <cstdint>
#include <vector>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

#include "models/devices/step_time.hpp"
#include "sim/serving/step_table.hpp"

namespace specroute::sim {

/// A draft engine is a device that runs one pass at a time, first come first served.
struct DraftEngine {
  models::StepModel step;
  Seconds busy_until{0.0};
  Seconds busy_total{0.0};
};

/// Owned by the world, at a stable address; the engines of one target backend share it.
struct Binding {
  PairingId pairing;
  std::vector<DraftEngine*>
      drafts;  ///< target engine e drafts with drafts[e mod size]; empty: none
  const StepTables* tables = nullptr;
  const StepTables* alone = nullptr;  ///< the same traffic when the target decodes alone
  bool draft_alive = true;            ///< the connection: an engine notices at once when it breaks
  std::uint32_t draft_tokens = 0;     ///< gamma
  Seconds to_draft{0.0};              ///< one way, verified tokens to the draft
  Seconds from_draft{0.0};            ///< one way, latency of the drafts' message
  BytesPerSecond bandwidth{1.0};
  Bytes per_position{0.0};        ///< forwarded for one drafted position of one sequence
  std::vector<RowCounts> counts;  ///< cumulative since bind, by row
  /// Steps without drafts of a pairing that has a draft: an engine counts no drafts that were never
  /// made, or a dead draft would look like a draft of acceptance 0. Sized by the engine.
  std::vector<RowCounts> undrafted;
};

}  // namespace specroute::sim
