/// @file
/// Which prompts begin alike: prompts as chains of hashed blocks of text.
///
/// A block hash stands for its 512 tokens and for all before them, as in Mooncake's traces, so two
/// prompts share exactly the blocks up to the first hash in which they differ. Traces bring their
/// `hash_ids`; a request class that describes a shared prefix gets hashes of its own. Chains are
/// interned once per run; a request carries a handle.
///
/// @source Qin et al., "Mooncake", FAST 2025: trace format, field `hash_ids`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace specroute::models {

/// Tokens of one hashed block.
inline constexpr std::uint32_t kPrefixBlockTokens = 512;

using BlockHash = std::uint64_t;

/// A chain of a table; the default is a prompt that shares nothing.
struct PrefixHandle {
  std::uint32_t first = 0;   ///< index of its first hash in the table
  std::uint32_t blocks = 0;  ///< hashes of the chain; the last may stand for a partial block
};

/// The chains of a run. Filled before the run, then only read.
class PrefixTable {
 public:
  /// @param hashes of one prompt, in order; ceil(prompt tokens / 512) of them, or fewer.
  PrefixHandle add(std::span<const BlockHash> hashes);

  /// A chain of `blocks` hashes that no other call returns, and that are no hash below 2^63.
  PrefixHandle add_own(std::uint32_t blocks);

  /// @return the hashes, valid until the next `add`.
  [[nodiscard]] std::span<const BlockHash> hashes(PrefixHandle handle) const {
    return std::span(hashes_).subspan(handle.first, handle.blocks);
  }

 private:
  std::vector<BlockHash> hashes_;
  BlockHash next_own_ = BlockHash{1} << 63U;
};

/// Blocks of a prompt that can be kept for others: those that it fills, and of them only so many
/// that one prompt token is left to compute, for its logits.
/// @return min(handle.blocks, floor((prompt_tokens - 1) / 512)); 0 for an empty prompt.
[[nodiscard]] constexpr std::uint32_t shareable_blocks(PrefixHandle handle,
                                                       std::uint32_t prompt_tokens) {
  const std::uint32_t full = prompt_tokens == 0 ? 0 : (prompt_tokens - 1) / kPrefixBlockTokens;
  return handle.blocks < full ? handle.blocks : full;
}

}  // namespace specroute::models
