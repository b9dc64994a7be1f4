/// @file
/// The decode batch of an engine, column by column, and the step that advances it.
///
/// This is the hot loop of the simulator: one counter-based draw and one table look-up for each
/// sequence and step, no allocation, no virtual call. A draw is keyed by (seed, request, token
/// index), so a request's luck is its own whatever batch it sits in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
  models::StreamKey key;             ///< of the purpose "decode"
  PairingId pairing;                 ///< degradation that begins in this step is its doing
  std::span<RowCounts> counts;       ///< by row; the caller's cumulative counters
  bool capped = false;               ///< no sequence drafts past its limit
  CircumstanceId circumstance = {};  ///< blamed beside the pairing
};

/// Draft tokens of one pass in which no sequence drafts past its limit.
struct CappedDrafts {
  std::uint64_t total = 0;
  std::uint32_t longest = 0;
};

class Batch {
 public:
  /// @param watch what the engine does about loops
  /// @param layout of the rows of its tables
  explicit Batch(std::uint32_t capacity, const LoopWatch& watch = {}, RowLayout layout = {});

  [[nodiscard]] std::uint32_t size() const { return size_; }
  /// Sum of prompt and emitted tokens over the batch: what attention reads in one pass.
  [[nodiscard]] std::uint64_t context_tokens() const { return context_tokens_; }

  /// KV blocks of a pass: for each sequence ceil(min(context + ahead, prompt + limit) / block),
  /// what the prefix cache holds for it taken off. Before a pass `ahead` is its draft tokens: the
  /// last token emitted and the drafts after it find their place.
  /// @param block_tokens >= 1 @param hash_blocks KV blocks of one hashed block
  [[nodiscard]] std::uint64_t kv_blocks(std::uint32_t ahead, std::uint32_t block_tokens,
                                        std::uint32_t hash_blocks) const;
  /// KV blocks after a pass: the token emitted last has none yet.
  [[nodiscard]] std::uint64_t kv_blocks_stored(std::uint32_t block_tokens,
                                               std::uint32_t hash_blocks) const;
  /// KV blocks that were reserved for prompts and limits.
  [[nodiscard]] std::uint64_t kv_blocks_reserved(std::uint32_t block_tokens,
                                                 std::uint32_t hash_blocks) const;
  /// min(gamma, tokens to the limit after the next) over the batch.
  [[nodiscard]] CappedDrafts capped_drafts(std::uint32_t gamma) const;

  /// The request that arrived last; 0 where the batch is empty.
  [[nodiscard]] RequestId latest() const;
  /// Takes that one out.
  Sequence take_latest();

  void join(const Sequence& sequence);

  /// Calls `visit(kind, sequences)` for every kind of traffic in the batch, in their order.
  template <class Visit>
  void each_kind(Visit visit) const {
    for (std::uint32_t kind = 0; kind < kind_sizes_.size(); ++kind)
      if (kind_sizes_[kind] > 0) visit(kind, kind_sizes_[kind]);
  }

  /// One decode step of every sequence. Sequences that reach their length leave the batch and are
  /// appended to `finished`, in batch order. @return tokens emitted.
  std::uint64_t advance(const StepInput& input, std::vector<Sequence>& finished);

  /// Takes out every sequence whose deadline has passed, appending it to `expired`.
  void expire(Seconds now, std::vector<Sequence>& expired);

  /// Takes out the sequence of a slot, if it is there.
  std::optional<Sequence> withdraw(std::uint32_t slot);
  /// The sequence of a slot as it stands, if it is there.
  [[nodiscard]] std::optional<Sequence> look_at(std::uint32_t slot) const;

  /// Empties the batch into `out`, in batch order: the engine died, or the pairing's target moved.
  void take_all(std::vector<Sequence>& out);

 private:
  template <std::uint32_t kGamma, bool kCapped = false>
  std::uint64_t step_chunk(const StepInput& input, std::uint32_t begin, std::uint32_t end);
  void settle(const StepInput& input, std::vector<Sequence>& finished);
  void turn(std::uint32_t index, const StepInput& input);
  /// Puts a sequence into the row of its context, and says when that must be looked at again.
  void place(std::uint32_t index);
  [[nodiscard]] std::uint32_t latest_index() const;
  [[nodiscard]] std::uint32_t& kind_size(TrafficRow row);
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
  std::vector<std::uint32_t> prompt_;
  std::vector<std::uint32_t> limit_;
  std::uint64_t shared_hashes_ = 0;  ///< sum over the batch
  std::vector<Sequence> cold_;       ///< the rest; its copies of hot columns are stale in here
  /// Sequences that need more than the hot loop gives them: at a pause, or hit by a hazard.
  struct Noted {
    std::uint32_t index;
    bool loop, schema, corruption;
  };
  std::vector<Noted> noted_;
  std::vector<std::uint32_t> leaving_;
  std::vector<std::uint32_t> kind_sizes_;  ///< sequences of each kind seen so far
};

}  // namespace specroute::sim
