/// @file
/// The prefix cache of one engine: hashed prompt blocks that stay in its KV pool.
///
/// A block is pinned by the sequences that began with it and idle without them; idle blocks are
/// given up least recently used first. Chains are pinned and let go as a whole, the end of a chain
/// ranking as older than its beginning, so what is left of a chain is always its beginning.
///
/// @source vLLM, automatic prefix caching (free queue in order of last use, tail blocks first);
/// a block that two sequences computed at once is kept once, as in SGLang's radix cache.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "models/workload/prefix_blocks.hpp"

namespace specroute::sim {

class PrefixCache {
 public:
  using Hashes = std::span<const models::BlockHash>;

  /// Hashes at the beginning of a chain that are here.
  [[nodiscard]] std::uint32_t match(Hashes chain) const;
  /// How many of these are idle. Each must be here.
  [[nodiscard]] std::uint32_t count_idle(Hashes chain) const;

  /// One more sequence uses each. @return how many were idle.
  std::uint32_t pin(Hashes chain);
  /// One sequence fewer uses each. @return how many are idle now.
  std::uint32_t unpin(Hashes chain);
  /// A sequence has computed this block and goes on using it. @return false where it was here: the
  /// sequence's own copy is not needed, and it uses the one that is (which may have been idle).
  struct Insertion {
    bool is_new;
    bool was_idle;
  };
  Insertion insert(models::BlockHash hash);
  /// Gives up the idle block that was used longest ago; nothing where none is idle.
  std::optional<models::BlockHash> evict();
  /// Everything is lost. All must be idle.
  void clear();

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(places_.size()); }
  [[nodiscard]] std::uint32_t idle() const { return idle_; }

 private:
  static constexpr std::uint32_t kEnd = 0xffff'ffffU;
  struct Block {
    models::BlockHash hash = 0;
    std::uint32_t users = 0;
    std::uint32_t older = kEnd;
    std::uint32_t newer = kEnd;
  };
  void use(std::uint32_t place);
  [[nodiscard]] std::uint32_t place_of(models::BlockHash hash) const;

  std::unordered_map<models::BlockHash, std::uint32_t> places_;  ///< looked up, never walked
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> unused_;
  std::uint32_t oldest_ = kEnd;  ///< ends of the list of idle blocks
  std::uint32_t newest_ = kEnd;
  std::uint32_t idle_ = 0;
};

}  // namespace specroute::sim
