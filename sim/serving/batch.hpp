/// @file
/// The decode batch of an engine, column by column, and the step that advances it.
///
/// This is the hot loop of the simulator: one counter-based draw and one table look-up for each
/// sequence and step, no allocation, no virtual call. A draw is keyed by (seed, request, token
/// index), so a request's luck is its own whatever batch it sits in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/random/philox.hpp"
#include "sim/serving/loop_watch.hpp"
#include "sim/serving/sequence.hpp"
#include "sim/serving/step_table.hpp"

namespace specroute::sim {

/// What a step needs besides the batch itself.
struct StepInput {
  const StepTables& tables;
  models::StreamKey key;        ///< of the purpose "decode"
  PairingId pairing;            ///< degradation that begins in this step is its doing
  std::span<RowCounts> counts;  ///< by row; the caller's cumulative counters
};

class Batch {
 public:
  /// @param watch what the engine does about loops
  /// @param layout of the rows of its tables
  explicit Batch(std::uint32_t capacity, const LoopWatch& watch = {}, RowLayout layout = {});

  [[nodiscard]] std::uint32_t size() const { return size_; }
  /// Sum of prompt and emitted tokens over the batch: what attention reads in one pass.
  [[nodiscard]] std::uint64_t context_tokens() const { return context_tokens_; }

  void join(const Sequence& sequence);

  /// One decode step of every sequence. Sequences that reach their length leave the batch and are
  /// appended to `finished`, in batch order. @return tokens emitted.
  std::uint64_t advance(const StepInput& input, std::vector<Sequence>& finished);

  /// Takes out every sequence whose deadline has passed, appending it to `expired`.
  void expire(Seconds now, std::vector<Sequence>& expired);

  /// Empties the batch into `out`, in batch order: the engine died, or the pairing's target moved.
  void take_all(std::vector<Sequence>& out);

 private:
  template <std::uint32_t kGamma>
  std::uint64_t step_chunk(const StepInput& input, std::uint32_t begin, std::uint32_t end);
  void settle(const StepInput& input, std::vector<Sequence>& finished);
  void turn(std::uint32_t index, PairingId pairing);
  /// Puts a sequence into the row of its context, and says when that must be looked at again.
  void place(std::uint32_t index);
  [[nodiscard]] Sequence take(std::uint32_t index) const;
  void remove(std::uint32_t index);

  LoopWatch watch_;
  RowLayout layout_;
  std::uint32_t size_ = 0;
  std::uint64_t context_tokens_ = 0;
  Seconds earliest_deadline_;
  // Hot columns; entry i of each belongs to sequence i.
  std::vector<std::uint32_t> request_low_;
  std::vector<std::uint32_t> request_high_;
  std::vector<std::uint32_t> emitted_;
  std::vector<std::uint32_t> length_;
  std::vector<std::uint32_t> pause_;  ///< emitted tokens at its end, or at the edge of its range
  std::vector<std::uint32_t> row_;
  std::vector<Sequence> cold_;  ///< the rest; its copies of hot columns are stale in here
  /// Sequences that need more than the hot loop gives them: at a pause, or hit by a hazard.
  struct Noted {
    std::uint32_t index;
    bool loop, schema, corruption;
  };
  std::vector<Noted> noted_;
  std::vector<std::uint32_t> leaving_;
};

}  // namespace specroute::sim
