// The KV pool's books in random lives: preemption, shared prefixes, losses of memory.
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/sim_serving/engine_fixture.hpp"

namespace specroute::sim {
namespace {

constexpr std::uint32_t kBlockTokens = 64;  // eight to a hashed block

/// A few chains that begin alike: chain c shares its first c blocks with every longer one.
struct Chains {
  Chains() {
    for (models::BlockHash c = 0; c < 4; ++c) {
      std::vector<models::BlockHash> hashes;
      for (models::BlockHash i = 0; i < c; ++i) hashes.push_back(i);
      hashes.push_back(100 + c);
      handles.push_back(table.add(hashes));
    }
  }
  models::PrefixTable table;
  std::vector<models::PrefixHandle> handles;
};

TargetEngineSettings random_settings(const Chains& chains, std::uint32_t half_batches) {
  TargetEngineSettings settings = engine_settings(half_batches);
  settings.kv_block_tokens = kBlockTokens;
  settings.kv_blocks = *rc::gen::inRange(36U, 90U);
  settings.prefill_chunk_tokens = *rc::gen::inRange(50U, 3000U);
  settings.admission = *rc::gen::arbitrary<bool>() ? Admission::on_demand : Admission::reserve;
  if (*rc::gen::arbitrary<bool>()) settings.prefixes = &chains.table;
  if (*rc::gen::arbitrary<bool>()) settings.max_batched_tokens = *rc::gen::inRange(24U, 2000U);
  if (*rc::gen::arbitrary<bool>())
    settings.schedule.by_batch = {{.sequences = 3, .draft_tokens = 0}};
  settings.schedule.cap_at_limit = *rc::gen::arbitrary<bool>();
  return settings;
}

Sequence random_sequence(std::uint64_t request, const Chains& chains, double now) {
  Sequence s = sequence_of(request, *rc::gen::inRange(1U, 120U));
  s.limit = s.length + *rc::gen::inRange(0U, 30U);
  s.prompt_tokens = *rc::gen::inRange(1U, 2100U);  // with the limit, 36 blocks hold it
  s.deadline = Seconds{now + *rc::gen::inRange(20, 2000)};
  s.prefix = chains.handles[*rc::gen::inRange<std::size_t>(0, chains.handles.size())];
  return s;
}

/// The set of blocks that the engine's events tell of is the one that it has.
void check_events(const EngineLoop& loop, std::size_t since) {
  std::set<models::BlockHash> told;
  for (std::size_t i = since; i < loop.cache_changes.size(); ++i) {
    const auto& change = loop.cache_changes[i];
    RC_ASSERT((change.cached ? told.insert(change.hash).second : told.erase(change.hash) == 1));
  }
  RC_ASSERT(told.size() == loop.engine.cache().size());
}

void run_life_with_books(std::uint32_t half_batches) {
  const Chains chains;
  EngineLoop loop(random_settings(chains, half_batches), tables_accepting({0.7, 0.4}));
  std::vector<Binding> bindings;
  for (std::uint32_t p = 0; p < 2; ++p) bindings.push_back(loop.binding(p, p == 0));
  loop.engine.bind(&bindings[0]);
  std::uint64_t submitted = 0;
  std::size_t remembered_since = 0;
  double now = 0.0;
  const auto moves = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 20));
  for (const int move : moves) {
    now += 0.25 * *rc::gen::inRange(0, 30);
    loop.run_until(Seconds{now});
    if (move < 15) {
      loop.submit(random_sequence(submitted++, chains, now), Seconds{now});
    } else if (move < 17) {
      loop.engine.bind(&bindings[*rc::gen::inRange<std::size_t>(0, 2)]);
    } else {
      std::vector<Sequence> held;
      loop.engine.take_all(loop.now, held);
      RC_ASSERT(loop.engine.kv().allocated() == 0U);
      if (move > 18) {
        loop.engine.lose_memory();
        remembered_since = loop.cache_changes.size();
      }
      RC_ASSERT(loop.engine.kv_adds_up());
      for (const Sequence& s : held) loop.submit(s, Seconds{now});
    }
    check_events(loop, remembered_since);
  }
  loop.run();
  RC_ASSERT(loop.kv_added_up);
  RC_ASSERT(loop.engine.kv().allocated() == 0U);
  RC_ASSERT(loop.engine.kv().free() + loop.engine.kv().idle() == loop.engine.kv().total());
  RC_ASSERT(loop.finished.size() + loop.expired.size() == submitted);
  for (const auto& left : loop.finished) {
    RC_ASSERT(left.sequence.emitted == left.sequence.length);
    RC_ASSERT(left.sequence.shared_hashes == 0U);
  }
  check_events(loop, remembered_since);
}

RC_GTEST_PROP(KvProperty, BooksBalanceAndEverySequenceEndsWithOneHalf, ()) {
  run_life_with_books(1);
}

RC_GTEST_PROP(KvProperty, BooksBalanceAndEverySequenceEndsWithTwoHalves, ()) {
  run_life_with_books(2);
}

}  // namespace
}  // namespace specroute::sim
