/// @file
/// Step tables and sequences for the tests of the decode batch.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "models/random/threshold.hpp"
#include "sim/serving/batch.hpp"

namespace specroute::sim {

/// A row that accepts more than k drafts with probability chances[k], and has no hazard.
inline StepRow row_accepting(std::initializer_list<double> chances) {
  StepRow row;
  std::size_t k = 0;
  for (const double chance : chances)
    row.accepted[k++] = models::threshold_from_probability(chance);
  return row;
}

/// Tables of one kind of traffic whose normal and looping rows are equal.
inline StepTables tables_accepting(std::initializer_list<double> chances) {
  const StepRow row = row_accepting(chances);
  return {.draft_tokens = static_cast<std::uint32_t>(chances.size()), .rows = {row, row}};
}

inline Sequence sequence_of(std::uint64_t request, std::uint32_t length) {
  Sequence sequence;
  sequence.request = RequestId{request};
  sequence.slot = static_cast<std::uint32_t>(request);
  sequence.prompt_tokens = 10;
  sequence.length = length;
  sequence.limit = length;
  return sequence;
}

inline Sequence prompt_of(std::uint64_t request, std::uint32_t prompt, std::uint32_t length) {
  Sequence s = sequence_of(request, length);
  s.prompt_tokens = prompt;
  return s;
}

/// A batch with what its steps need, and everything that left it.
struct SteppedBatch {
  explicit SteppedBatch(StepTables given, std::uint32_t capacity = 64, const LoopWatch& watch = {})
      : tables(std::move(given)), counts(tables.rows.size()), batch(capacity, watch) {}

  std::uint64_t step(PairingId pairing = PairingId{7}) {
    return batch.advance({.tables = tables, .key = {11, 22}, .pairing = pairing, .counts = counts},
                         finished);
  }

  std::uint64_t step_under(const StepTables& other, CircumstanceId circumstance) {
    return batch.advance({.tables = other,
                          .key = {11, 22},
                          .pairing = PairingId{7},
                          .counts = counts,
                          .circumstance = circumstance},
                         finished);
  }

  StepTables tables;
  std::vector<RowCounts> counts;
  Batch batch;
  std::vector<Sequence> finished;
};

}  // namespace specroute::sim
