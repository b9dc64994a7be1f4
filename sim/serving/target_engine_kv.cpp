// KV blocks of a target engine: taken on demand, preempted, shared by prompts that begin alike.
#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "sim/serving/target_engine.hpp"

namespace specroute::sim {

PrefixCache::Hashes TargetEngine::shareable(const Sequence& sequence) const {
  if (settings_.prefixes == nullptr) return {};
  return settings_.prefixes->hashes(sequence.prefix)
      .first(models::shareable_blocks(sequence.prefix, sequence.prompt_tokens));
}

PrefixCache::Hashes TargetEngine::shared(const Sequence& sequence) const {
  if (sequence.shared_hashes == 0) return {};
  return settings_.prefixes->hashes(sequence.prefix).first(sequence.shared_hashes);
}

/// Gives idle prefix blocks up until so many blocks are free. @return whether they are.
bool TargetEngine::make_room(std::uint64_t blocks, EngineActions& out) {
  if (blocks > kv_.free() + kv_.idle()) return false;
  while (kv_.free() < blocks) {
    const auto evicted = cache_.evict();
    check(evicted.has_value(), "idle KV blocks are those of the prefix cache");
    kv_.evict(hash_blocks_);
    out.cache_changes.push_back({*evicted, false});
  }
  return true;
}

/// Takes the blocks that the next pass of this half writes, preempting from the latest arrival on
/// until they are there. @return whether anybody was preempted.
bool TargetEngine::grow(Half& half, Seconds now, EngineActions& out) {
  bool preempted = false;
  while (!grow_decode(half, out) || !grow_prefills(half, out)) {
    preempt_latest(half, now);
    half.draft_tokens = drafts_wanted(half, now);  // a smaller batch may draft more
    preempted = true;
  }
  return preempted;
}

/// Of the sequences that decode. @return false where they are not there.
bool TargetEngine::grow_decode(Half& half, EngineActions& out) {
  const std::uint64_t need =
      half.batch.kv_blocks(half.draft_tokens, kv_.block_tokens(), hash_blocks_);
  const std::uint64_t more = need - std::min(need, half.decode_blocks);
  if (!make_room(more, out)) return false;
  check(kv_.take(more), "room was made for these blocks");
  half.decode_blocks += more;
  return true;
}

/// Of the prompts under way, in order, as far as the pass may carry them: plans its chunk.
bool TargetEngine::grow_prefills(Half& half, EngineActions& out) {
  const std::uint32_t most = prefill_allowance(half, half.draft_tokens);
  half.chunk = 0;
  for (Prefill& p : half.prefill) {
    const std::uint32_t part = std::min(p.remaining, most - half.chunk);
    if (part == 0) break;
    const std::uint64_t need = kv_.blocks_for(p.computed() + part) -
                               std::uint64_t{p.sequence.shared_hashes} * hash_blocks_;
    const std::uint64_t more = need - std::min(need, p.blocks);
    if (!make_room(more, out)) return false;
    check(kv_.take(more), "room was made for these blocks");
    p.blocks += more;
    half.chunk += part;
  }
  return true;
}

/// The latest arrival of this half gives up its blocks and waits, in front of all that came later.
void TargetEngine::preempt_latest(Half& half, Seconds now) {
  const auto latest = std::ranges::max_element(half.prefill, {},
                                               [](const Prefill& p) { return p.sequence.request; });
  const bool from_prefill =
      latest != half.prefill.end() &&
      (half.batch.size() == 0 || latest->sequence.request > half.batch.latest());
  Sequence victim;
  if (from_prefill) {
    victim = latest->sequence;
    counters_.recomputed_tokens += latest->computed();
    kv_.give_back(latest->blocks);
    half.prefill.erase(latest);
  } else {
    check(half.batch.size() > 0, "a sequence that is alone in the pool finds its blocks");
    victim = half.batch.take_latest();
    victim.last_emission = half.last_emission;
    counters_.recomputed_tokens += victim.context() - 1;
  }
  // What the prefix cache holds of it stays there.
  counters_.recomputed_tokens -= victim.shared_hashes * models::kPrefixBlockTokens;
  ++counters_.preemptions;
  kv_.retire(std::uint64_t{cache_.unpin(shared(victim))} * hash_blocks_);
  victim.shared_hashes = 0;
  room_.leave(now, victim.admitted);
  victim.submitted = now;
  line_.enter(now);
  const auto behind = std::ranges::find_if(
      waiting_, [&](const Sequence& other) { return other.request > victim.request; });
  waiting_.insert(behind, victim);
  if (!from_prefill) settle_blocks(half);
}

/// Its blocks go back; those that are taken on demand at the half's next settlement.
void TargetEngine::let_go(Sequence& sequence) {
  if (!on_demand()) kv_.give_back(reserved_blocks(sequence));
  kv_.retire(std::uint64_t{cache_.unpin(shared(sequence))} * hash_blocks_);
  sequence.shared_hashes = 0;
}

/// Admits a waiting sequence if its blocks are there: all that its limits could need; on demand
/// those of its context, of which it takes those of its first chunk (vLLM's
/// `scheduler_reserve_full_isl`: without it half-computed prompts drive each other out).
bool TargetEngine::start(Half& half, const Sequence& sequence, Seconds now, EngineActions& out) {
  Prefill p{.sequence = sequence, .remaining = sequence.context()};
  const PrefixCache::Hashes found = shareable(sequence).first(cache_.match(shareable(sequence)));
  p.sequence.shared_hashes = static_cast<std::uint32_t>(found.size());
  p.found = static_cast<std::uint32_t>(found.size()) * models::kPrefixBlockTokens;
  p.remaining -= p.found;
  const std::uint64_t revived = std::uint64_t{cache_.count_idle(found)} * hash_blocks_;
  const std::uint64_t kept = found.size() * hash_blocks_;
  std::uint64_t need = reserved_blocks(p.sequence);
  std::uint32_t part = 0;
  if (on_demand()) {
    const std::uint32_t most = prefill_allowance(half, half.draft_tokens);
    part = std::min(p.remaining, most - half.chunk);
    if (part == 0) return false;
    need = kv_.blocks_for(sequence.context()) - kept;
  }
  if (need > kv_.free() + kv_.idle() - revived) return false;
  if (on_demand()) need = p.blocks = kv_.blocks_for(p.found + part) - kept;
  kv_.revive(revived);
  cache_.pin(found);
  check(make_room(need, out) && kv_.take(need), "what is pinned is not given up for room");
  half.chunk += part;
  p.sequence.admitted = now;
  counters_.context_tokens += sequence.context();
  counters_.cached_tokens += p.found;
  half.prefill.push_back(p);
  room_.enter(now);
  return true;
}

/// The prompt is computed: its whole blocks are there for others from now on.
void TargetEngine::cache_prompt(Prefill& prefill, EngineActions& out) {
  Sequence& sequence = prefill.sequence;
  const PrefixCache::Hashes all = shareable(sequence);
  for (const models::BlockHash hash : all.subspan(sequence.shared_hashes)) {
    const PrefixCache::Insertion insertion = cache_.insert(hash);
    if (insertion.is_new)
      out.cache_changes.push_back({hash, true});
    else
      kv_.give_back(hash_blocks_);  // another sequence's copy is kept, and this one's is not
    if (insertion.was_idle) kv_.revive(hash_blocks_);
  }
  const auto newly = static_cast<std::uint32_t>(all.size()) - sequence.shared_hashes;
  if (on_demand()) prefill.blocks -= std::uint64_t{newly} * hash_blocks_;
  sequence.shared_hashes += newly;
}

/// On demand, the half holds what its sequences have stored; the rest goes back.
void TargetEngine::settle_blocks(Half& half) {
  if (!on_demand()) return;
  const std::uint64_t stored = half.batch.kv_blocks_stored(kv_.block_tokens(), hash_blocks_);
  check(stored <= half.decode_blocks, "a sequence stores no token without a block");
  kv_.give_back(half.decode_blocks - stored);
  half.decode_blocks = stored;
}

void TargetEngine::lose_memory() {
  kv_.evict(kv_.idle());
  cache_.clear();
}

bool TargetEngine::kv_adds_up() const {
  std::uint64_t own = 0;
  for (const Half& half : halves_) {
    own += half.decode_blocks;
    for (const Prefill& p : half.prefill)
      own += on_demand() ? p.blocks : reserved_blocks(p.sequence);
    if (!on_demand()) own += half.batch.kv_blocks_reserved(kv_.block_tokens(), hash_blocks_);
  }
  const std::uint64_t pinned = std::uint64_t{cache_.size() - cache_.idle()} * hash_blocks_;
  return kv_.allocated() == own + pinned &&
         kv_.idle() == std::uint64_t{cache_.idle()} * hash_blocks_ &&
         kv_.allocated() + kv_.idle() <= kv_.total();
}

}  // namespace specroute::sim
