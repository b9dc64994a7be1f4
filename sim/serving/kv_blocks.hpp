/// @file
/// KV-cache blocks of one engine: how many there are and how many are taken.
#pragma once

#include <cstdint>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {

/// Counts blocks; a sequence reserves at admission what its limit could need, so it can never run
/// out while it decodes. Invariant: allocated + free = total.
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
  [[nodiscard]] bool reserve(std::uint64_t tokens) {
    const std::uint64_t blocks = blocks_for(tokens);
    if (blocks > total_ - allocated_) return false;
    allocated_ += blocks;
    peak_ = allocated_ > peak_ ? allocated_ : peak_;
    return true;
  }
  void release(std::uint64_t tokens) {
    const std::uint64_t blocks = blocks_for(tokens);
    check(blocks <= allocated_, "only reserved KV blocks are released");
    allocated_ -= blocks;
  }
  /// The engine lost its memory, or its work moved away.
  void release_all() { allocated_ = 0; }
  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] std::uint64_t allocated() const { return allocated_; }
  [[nodiscard]] std::uint64_t peak() const { return peak_; }

 private:
  std::uint64_t total_;
  std::uint32_t block_tokens_;
  std::uint64_t allocated_ = 0;
  std::uint64_t peak_ = 0;
};

}  // namespace specroute::sim
