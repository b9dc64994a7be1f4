#include "models/workload/prefix_blocks.hpp"

#include <limits>

#include <specroute/vocab/check.hpp>

namespace specroute::models {

PrefixHandle PrefixTable::add(std::span<const BlockHash> hashes) {
  check(hashes_.size() + hashes.size() <= std::numeric_limits<std::uint32_t>::max(),
        "a prefix table holds fewer than 2^32 hashes");
  const PrefixHandle handle{.first = static_cast<std::uint32_t>(hashes_.size()),
                            .blocks = static_cast<std::uint32_t>(hashes.size())};
  hashes_.insert(hashes_.end(), hashes.begin(), hashes.end());
  return handle;
}

PrefixHandle PrefixTable::add_own(std::uint32_t blocks) {
  std::vector<BlockHash> hashes(blocks);
  for (BlockHash& hash : hashes) hash = next_own_++;
  return add(hashes);
}

}  // namespace specroute::models
