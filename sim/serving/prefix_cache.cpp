#include "sim/serving/prefix_cache.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

namespace specroute::sim {

std::uint32_t PrefixCache::match(Hashes chain) const {
  const auto end = std::ranges::find_if(
      chain, [this](models::BlockHash hash) { return !places_.contains(hash); });
  return static_cast<std::uint32_t>(end - chain.begin());
}

std::uint32_t PrefixCache::count_idle(Hashes chain) const {
  return static_cast<std::uint32_t>(std::ranges::count_if(
      chain, [this](models::BlockHash hash) { return blocks_[place_of(hash)].users == 0; }));
}

std::uint32_t PrefixCache::place_of(models::BlockHash hash) const {
  const auto found = places_.find(hash);
  check(found != places_.end(), "only cached prefix blocks are used");
  return found->second;
}

/// Out of the idle list, if it is in there.
void PrefixCache::use(std::uint32_t place) {
  Block& block = blocks_[place];
  if (block.users++ > 0) return;
  (block.older == kEnd ? oldest_ : blocks_[block.older].newer) = block.newer;
  (block.newer == kEnd ? newest_ : blocks_[block.newer].older) = block.older;
  block.older = block.newer = kEnd;
  --idle_;
}

std::uint32_t PrefixCache::pin(Hashes chain) {
  const std::uint32_t before = idle_;
  for (const models::BlockHash hash : chain) use(place_of(hash));
  return before - idle_;
}

std::uint32_t PrefixCache::unpin(Hashes chain) {
  const std::uint32_t before = idle_;
  for (auto hash = chain.rbegin(); hash != chain.rend(); ++hash) {
    const std::uint32_t place = place_of(*hash);
    Block& block = blocks_[place];
    check(block.users > 0, "only pinned prefix blocks are let go");
    if (--block.users > 0) continue;
    block.older = newest_;
    (newest_ == kEnd ? oldest_ : blocks_[newest_].newer) = place;
    newest_ = place;
    ++idle_;
  }
  return idle_ - before;
}

PrefixCache::Insertion PrefixCache::insert(models::BlockHash hash) {
  const auto found = places_.find(hash);
  if (found != places_.end()) {
    const bool was_idle = blocks_[found->second].users == 0;
    use(found->second);
    return {.is_new = false, .was_idle = was_idle};
  }
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(blocks_.size()));
    blocks_.emplace_back();
  }
  const std::uint32_t place = unused_.back();
  unused_.pop_back();
  blocks_[place] = {.hash = hash, .users = 1};
  places_.emplace(hash, place);
  return {.is_new = true, .was_idle = false};
}

std::optional<models::BlockHash> PrefixCache::evict() {
  if (oldest_ == kEnd) return std::nullopt;
  const std::uint32_t place = oldest_;
  const models::BlockHash hash = blocks_[place].hash;
  use(place);
  places_.erase(hash);
  unused_.push_back(place);
  return hash;
}

void PrefixCache::clear() {
  check(idle_ == size(), "a cache is lost with nobody using it");
  *this = PrefixCache{};
}

}  // namespace specroute::sim
