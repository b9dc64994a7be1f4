/// @file
/// KV-cache blocks of one engine: how many there are, taken, and kept for reuse.
#pragma once

#include <cstdint>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {

/// Counts blocks. `allocated` ones belong to sequences, each counted once however many share it;
/// `idle` ones belong to nobody and keep a prefix until somebody needs the room.
/// Invariant: allocated + idle + free = total.
class KvBlocks {
 public:
  /// @param total blocks that fit. @param block_tokens >= 1, tokens a block holds.
  KvBlocks(std::uint64_t total, std::uint32_t block_tokens)
      : total_(total), block_tokens_(block_tokens) {
    check(block_tokens > 0, "a KV block holds at least one token");
  }

  /// ceil(tokens / block_tokens).
  [[nodiscard]] std::uint64_t blocks_for(std::uint64_t tokens) const {
    return (tokens + block_tokens_ - 1) / block_tokens_;
  }
  [[nodiscard]] bool could_ever_hold(std::uint64_t tokens) const {
    return blocks_for(tokens) <= total_;
  }
  /// Takes free blocks, or none where there are too few.
  [[nodiscard]] bool take(std::uint64_t blocks) {
    if (blocks > free()) return false;
    allocated_ += blocks;
    peak_ = allocated_ > peak_ ? allocated_ : peak_;
    return true;
  }
  void give_back(std::uint64_t blocks) {
    check(blocks <= allocated_, "only KV blocks that were taken are given back");
    allocated_ -= blocks;
  }

  /// From allocated to idle: the last sequence that used them left.
  void retire(std::uint64_t blocks) {
    give_back(blocks);
    idle_ += blocks;
  }
  /// From idle to allocated: a sequence begins with them.
  void revive(std::uint64_t blocks) {
    evict(blocks);
    check(take(blocks), "what was idle is there to be taken");
  }
  /// From idle to free.
  void evict(std::uint64_t blocks) {
    check(blocks <= idle_, "only idle KV blocks are evicted");
    idle_ -= blocks;
  }
  /// The engine lost its memory, or its work moved away. Idle blocks stay.
  void release_all() { allocated_ = 0; }

  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] std::uint32_t block_tokens() const { return block_tokens_; }
  [[nodiscard]] std::uint64_t allocated() const { return allocated_; }
  [[nodiscard]] std::uint64_t idle() const { return idle_; }
  [[nodiscard]] std::uint64_t free() const { return total_ - allocated_ - idle_; }
  [[nodiscard]] std::uint64_t peak() const { return peak_; }

 private:
  std::uint64_t total_;
  std::uint32_t block_tokens_;
  std::uint64_t allocated_ = 0;
  std::uint64_t idle_ = 0;
  std::uint64_t peak_ = 0;
};

}  // namespace specroute::sim
