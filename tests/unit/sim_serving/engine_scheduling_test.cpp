// What an engine schedules: budgets, preemption, draft lengths by batch, shared prefixes.
// Passes of the fixture: 1 s + 0.1 s a sequence + 0.01 s a prompt token.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/sim_serving/engine_fixture.hpp"

namespace specroute::sim {
namespace {

TargetEngineSettings on_demand(std::uint64_t blocks, std::uint32_t half_batches = 1) {
  TargetEngineSettings settings = engine_settings(half_batches);
  settings.admission = Admission::on_demand;
  settings.kv_blocks = blocks;
  return settings;
}

/// An engine that decodes alone.
struct Alone {
  explicit Alone(const TargetEngineSettings& settings)
      : loop(settings, tables_accepting({1.0})), binding(loop.binding(0, false)) {
    loop.engine.bind(&binding);
  }
  EngineLoop loop;
  Binding binding;
};

// While 1 decodes alone its gaps are 1.1 s. The pass that carries the 100 prompt tokens of 2 takes
// 1 + 2 * 0.1 + 100 * 0.01 = 2.2 s: that is the gap that 1 sees.
TEST(EngineScheduling, APassWithPromptTokensDelaysTheSequencesThatDecode) {
  Alone one(engine_settings());
  one.loop.submit(prompt_of(1, 10, 6), Seconds{0.0});
  one.loop.submit(prompt_of(2, 100, 2), Seconds{2.5});
  one.loop.run();
  ASSERT_GE(one.loop.emissions.size(), 4U);
  EXPECT_NEAR(one.loop.emissions[0].gap.count(), 1.1, 1e-9);  // [1.2, 2.3]
  EXPECT_NEAR(one.loop.emissions[1].gap.count(), 1.1, 1e-9);  // [2.3, 3.4], 2 arrives within
  EXPECT_NEAR(one.loop.emissions[2].gap.count(), 2.2, 1e-9);
  EXPECT_NEAR(one.loop.emissions[3].gap.count(), 1.2, 1e-9);
}

// A budget of 30: one decoding sequence leaves 29 for the prompt of 60, so it takes 29, 29 and 2.
TEST(EngineScheduling, GivesThePromptWhatDecodingLeavesOfTheBudget) {
  TargetEngineSettings settings = engine_settings();
  settings.max_batched_tokens = 30;
  Alone one(settings);
  one.loop.submit(prompt_of(1, 10, 9), Seconds{0.0});
  one.loop.submit(prompt_of(2, 60, 1), Seconds{0.5});
  one.loop.run();
  ASSERT_GE(one.loop.passes.size(), 4U);
  for (const auto& [pass, seconds] :
       std::vector<std::pair<std::size_t, double>>{{1, 1.49}, {2, 1.49}, {3, 1.22}})
    EXPECT_NEAR((one.loop.passes[pass].second - one.loop.passes[pass].first).count(), seconds, 1e-9)
        << pass;
}

// Six blocks of 10; two requests of prompt 20 and 21 tokens. Pass 1 prefills 1 (1.3 s), pass 2
// decodes it and prefills 2 (1.4 s), nine passes of both (1.2 s). Then 1 has 31 tokens to place and
// 2 has 30: 4 + 3 blocks. 2, the later, is preempted with 29 tokens stored, and 1 goes on alone for
// ten passes of 1.1 s. Then 2 is computed again, 30 tokens in 1.4 s, and ends after ten more.
TEST(EngineScheduling, PreemptsTheLatestArrivalAndComputesItAgain) {
  Alone one(on_demand(6));
  one.loop.submit(prompt_of(1, 20, 21), Seconds{0.0});
  one.loop.submit(prompt_of(2, 20, 21), Seconds{0.1});
  one.loop.run();
  ASSERT_EQ(one.loop.finished.size(), 2U);
  EXPECT_NEAR(one.loop.finished[0].at.count(), 1.3 + 1.4 + 10.8 + 11.0, 1e-9);
  EXPECT_NEAR(one.loop.finished[1].at.count(), 24.5 + 1.4 + 11.0, 1e-9);
  EXPECT_EQ(one.loop.engine.counters().preemptions, 1U);
  EXPECT_EQ(one.loop.engine.counters().recomputed_tokens, 29U);
  EXPECT_EQ(one.loop.engine.tokens_emitted(), 42U);
  EXPECT_EQ(one.loop.engine.kv().allocated(), 0U);
  EXPECT_TRUE(one.loop.engine.line().obeys_littles_law());
  EXPECT_TRUE(one.loop.engine.room().obeys_littles_law());
}

// As above: the last token of 2 before its preemption is written at 13.5 s, the one that ends its
// second prefill at 25.9 s. Of 42 tokens two are first ones, and each other has its gap.
TEST(EngineScheduling, APreemptionIsAGapBetweenEmissions) {
  Alone one(on_demand(6));
  one.loop.submit(prompt_of(1, 20, 21), Seconds{0.0});
  one.loop.submit(prompt_of(2, 20, 21), Seconds{0.1});
  one.loop.run();
  std::uint32_t gaps = 0;
  double longest = 0.0;
  for (const auto& emission : one.loop.emissions) {
    gaps += emission.sequences;
    longest = std::max(longest, emission.gap.count());
  }
  EXPECT_EQ(gaps, 40U);
  EXPECT_NEAR(longest, 25.9 - 13.5, 1e-9);
}

// Tokens at 1.2, 2.3 and 3.4 s here. Elsewhere 13 tokens of context from 10 s on: 1.1 + 0.13 s.
TEST(EngineScheduling, SoIsTheWayToAnotherEngine) {
  Alone here(engine_settings());
  Alone elsewhere(engine_settings());
  here.loop.submit(prompt_of(1, 10, 6), Seconds{0.0});
  here.loop.run_until(Seconds{4.0});
  std::vector<Sequence> held;
  here.loop.engine.take_all(Seconds{4.0}, held);
  ASSERT_EQ(held.size(), 1U);
  elsewhere.loop.submit(held[0], Seconds{10.0});
  elsewhere.loop.run();
  ASSERT_EQ(elsewhere.loop.emissions.size(), 3U);
  EXPECT_NEAR(elsewhere.loop.emissions[0].gap.count(), 10.0 + 1.23 - 3.4, 1e-9);
  EXPECT_NEAR(elsewhere.loop.emissions[1].gap.count(), 1.1, 1e-9);
}

// The same two with blocks reserved: each could need 41 tokens, 5 of 6 blocks, so 2 waits for 1's
// end at 1.3 + 20 * 1.1 s and nothing is computed twice.
TEST(EngineScheduling, WaitsInsteadWhereBlocksAreReserved) {
  TargetEngineSettings settings = engine_settings();
  settings.kv_blocks = 6;
  Alone one(settings);
  one.loop.submit(prompt_of(1, 20, 21), Seconds{0.0});
  one.loop.submit(prompt_of(2, 20, 21), Seconds{0.1});
  one.loop.run();
  ASSERT_EQ(one.loop.finished.size(), 2U);
  EXPECT_NEAR(one.loop.finished[0].at.count(), 1.3 + 22.0, 1e-9);
  EXPECT_EQ(one.loop.engine.counters().preemptions, 0U);
}

// 3 waits at the router's side of the batch when 2 is preempted; 2 came first and ends first.
TEST(EngineScheduling, APreemptedSequenceWaitsBeforeLaterArrivals) {
  Alone one(on_demand(6));
  one.loop.submit(prompt_of(1, 20, 21), Seconds{0.0});
  one.loop.submit(prompt_of(2, 20, 21), Seconds{0.1});
  one.loop.submit(prompt_of(3, 50, 5), Seconds{0.2});
  one.loop.run();
  ASSERT_EQ(one.loop.finished.size(), 3U);
  EXPECT_EQ(one.loop.finished[1].sequence.request.value, 2U);
  EXPECT_EQ(one.loop.finished[2].sequence.request.value, 3U);
}

// 1 ends with its first token, 2 expires while its prompt is computed; the draft never sees either.
// For 3 it makes one round: two passes, and 10 prompt tokens to catch up with; 11 are 3's context,
// more than which a draft never has to read.
TEST(EngineScheduling, ADraftReadsNoPromptOfWhoNeverDecodes) {
  for (const bool expires : {false, true}) {
    EngineLoop loop(engine_settings(), tables_accepting({1.0, 1.0}));
    Binding pair = loop.binding(0);
    loop.engine.bind(&pair);
    Sequence gone = prompt_of(1, 90, expires ? 50 : 1);
    if (expires) gone.deadline = Seconds{1.0};
    loop.submit(gone, Seconds{0.0});
    loop.submit(prompt_of(3, 10, 3), Seconds{5.0});
    loop.run();
    EXPECT_EQ(loop.expired.size(), expires ? 1U : 0U);
    EXPECT_NEAR(loop.draft.busy_by(loop.now).count(), 0.4 + (expires ? 11 : 10) * 0.005, 1e-9);
  }
}

// From two sequences on nobody drafts. Alone, 1 drafts two tokens a cycle; beside 2 it does not.
// When 2 has ended the draft first reads what it missed: 1's tokens of the passes without drafts.
TEST(EngineScheduling, DraftsByTheSizeOfTheBatch) {
  TargetEngineSettings settings = engine_settings();
  settings.schedule.by_batch = {{.sequences = 2, .draft_tokens = 0}};
  EngineLoop loop(settings, tables_accepting({1.0, 1.0}));
  Binding pair = loop.binding(0);
  loop.engine.bind(&pair);
  loop.submit(prompt_of(1, 10, 30), Seconds{0.0});
  loop.submit(prompt_of(2, 10, 4), Seconds{0.1});
  loop.run();
  ASSERT_EQ(loop.finished.size(), 2U);
  // 2 is prefilled in 1's first verified cycle, then both take three passes of one token each.
  ASSERT_EQ(pair.undrafted.size(), pair.counts.size());
  EXPECT_EQ(pair.undrafted[0].steps_accepting[0], 6U);
  const std::uint64_t drafted = pair.counts[0].steps_accepting[2];
  EXPECT_EQ(pair.counts[0].steps_accepting[0], 0U);
  // 1 writes 1 (prefill) + 3 (cycle beside 2's prefill) + 3 alone: 23 more, 3 a cycle: 8 cycles.
  EXPECT_EQ(drafted, 9U);
  // Catching up: 1's prompt of 10; then 2's prompt and the six tokens without drafts, of which
  // 1's context (17) is the most that can matter.
  EXPECT_NEAR(loop.draft.busy_by(loop.now).count(), 9 * 0.4 + (10 + 16) * 0.005, 1e-9);
}

TEST(EngineScheduling, CountsEachDraftLengthApart) {
  TargetEngineSettings settings = engine_settings();
  settings.schedule.by_batch = {{.sequences = 2, .draft_tokens = 1}};
  const std::vector<StepTables> shorter{tables_accepting({1.0})};
  const StepTables full = tables_accepting({1.0, 1.0});
  EngineLoop loop(settings, full);
  Binding pair = loop.binding(0);
  pair.use(full, shorter);
  loop.engine.bind(&pair);
  loop.submit(prompt_of(1, 10, 100), Seconds{0.0});
  loop.submit(prompt_of(2, 10, 9), Seconds{0.1});
  loop.run();
  // 2 writes one token at its prefill and two in each of its four cycles, as 1 does in those.
  EXPECT_EQ(pair.shorter[0].counts[0].steps_accepting[1], 8U);
  EXPECT_EQ(pair.counts[0].steps_accepting[1], 0U);
  EXPECT_GT(pair.counts[0].steps_accepting[2], 20U);
}

// Three tokens at most: after the prefill's there are two to come, so one draft of the three is
// made, in one pass of 0.2 s, and both are emitted.
TEST(EngineScheduling, DraftsNothingPastTheLimitWhereThatIsAsked) {
  TargetEngineSettings settings = engine_settings();
  settings.schedule.cap_at_limit = true;
  EngineLoop loop(settings, tables_accepting({1.0, 1.0, 1.0}));
  Binding pair = loop.binding(0);
  loop.engine.bind(&pair);
  loop.submit(prompt_of(1, 10, 3), Seconds{0.0});
  loop.run();
  ASSERT_EQ(loop.finished.size(), 1U);
  EXPECT_EQ(pair.counts[0].steps_accepting[1], 1U);
  EXPECT_EQ(pair.counts[0].not_drafted, 2U);
  EXPECT_NEAR(loop.draft.busy_by(loop.now).count(), 0.2 + 10 * 0.005, 1e-9);
}

// Of two tokens the second is the target's own, whatever a draft would say.
TEST(EngineScheduling, DraftsNothingForALastToken) {
  TargetEngineSettings settings = engine_settings();
  settings.schedule.cap_at_limit = true;
  EngineLoop loop(settings, tables_accepting({1.0}));
  Binding pair = loop.binding(0);
  loop.engine.bind(&pair);
  loop.submit(prompt_of(1, 10, 2), Seconds{0.0});
  loop.run();
  EXPECT_EQ(loop.draft.busy_by(loop.now), Seconds{0.0});
  EXPECT_NEAR(loop.finished.at(0).at.count(), 1.2 + 1.1, 1e-9);
}

/// Blocks of 16, 32 of them for one hashed block; prompts of 1,100 tokens that share two of those.
struct Sharing {
  explicit Sharing(Admission admission, std::uint64_t blocks = 1000) {
    TargetEngineSettings settings = engine_settings();
    settings.prefill_chunk_tokens = 10'000;
    settings.kv_block_tokens = 16;
    settings.kv_blocks = blocks;
    settings.admission = admission;
    settings.prefixes = &table;
    one.emplace(settings);
  }
  Sequence sequence(std::uint64_t request, models::PrefixHandle prefix, std::uint32_t length = 3) {
    Sequence s = prompt_of(request, 1100, length);
    s.prefix = prefix;
    return s;
  }
  EngineLoop& loop() { return one->loop; }
  models::PrefixTable table;
  models::PrefixHandle first = table.add_own(2);
  models::PrefixHandle second = table.add_own(2);
  std::optional<Alone> one;
};

// 1,100 tokens in 1.1 + 11 s; with 1,024 of them cached 76 are left: 1.1 + 0.76 s.
TEST(EngineScheduling, AHitInThePrefixCacheShortensThePrefill) {
  for (const Admission admission : {Admission::reserve, Admission::on_demand}) {
    Sharing s(admission);
    s.loop().submit(s.sequence(1, s.first), Seconds{0.0});
    s.loop().run();
    s.loop().submit(s.sequence(2, s.first), Seconds{100.0});
    s.loop().run();
    ASSERT_EQ(s.loop().finished.size(), 2U);
    EXPECT_NEAR(s.loop().finished[0].sequence.first_token.count(), 12.1, 1e-9);
    EXPECT_NEAR(s.loop().finished[1].sequence.first_token.count(), 101.86, 1e-9);
    EXPECT_EQ(s.loop().engine.counters().context_tokens, 2200U);
    EXPECT_EQ(s.loop().engine.counters().cached_tokens, 1024U);
    EXPECT_EQ(s.loop().engine.kv().allocated(), 0U);
    EXPECT_EQ(s.loop().engine.kv().idle(), 64U);
    EXPECT_EQ(s.loop().cache_changes.size(), 2U);
  }
}

// ceil(1,103 / 16) = 69 blocks each, reserved; the 64 that they share are counted once.
TEST(EngineScheduling, SharedBlocksAreCountedOnce) {
  Sharing s(Admission::reserve);
  s.loop().submit(s.sequence(1, s.first), Seconds{0.0});
  s.loop().submit(s.sequence(2, s.first), Seconds{12.05});  // admitted when 1 has its first token
  s.loop().run_until(Seconds{12.5});
  EXPECT_EQ(s.loop().engine.kv().allocated(), 64U + 5U + 5U);
  EXPECT_TRUE(s.loop().engine.kv_adds_up());
}

// Two prompts computed in one pass find nothing; when the pass ends one copy is kept.
TEST(EngineScheduling, KeepsOneCopyOfAPrefixThatTwoComputeAtOnce) {
  Sharing s(Admission::reserve);
  s.loop().submit(prompt_of(0, 10, 1), Seconds{0.0});
  s.loop().submit(s.sequence(1, s.first, 50), Seconds{0.1});
  s.loop().submit(s.sequence(2, s.first, 50), Seconds{0.2});
  s.loop().run_until(Seconds{1.3});
  EXPECT_EQ(s.loop().engine.kv().allocated(), 2U * 72U);
  s.loop().run_until(Seconds{30.0});
  EXPECT_EQ(s.loop().engine.kv().allocated(), 64U + 8U + 8U);
  EXPECT_EQ(s.loop().engine.counters().cached_tokens, 0U);
}

// 76 blocks, 64 of them shared, 6 for each of two. With 1 at its 1,121st token, 2 has stored 1,119
// and is preempted; 1,024 of those stay cached. It computes the others again, and its last token's.
TEST(EngineScheduling, APreemptionGivesUpNothingThatStaysCached) {
  Sharing s(Admission::on_demand, 76);
  s.loop().submit(s.sequence(1, s.first, 25), Seconds{0.0});
  s.loop().submit(s.sequence(2, s.first, 25), Seconds{1.0});
  s.loop().run();
  ASSERT_EQ(s.loop().finished.size(), 2U);
  EXPECT_EQ(s.loop().engine.counters().preemptions, 1U);
  EXPECT_EQ(s.loop().engine.counters().recomputed_tokens, 1119U - 1024U);
  EXPECT_EQ(s.loop().engine.work().prompt_tokens, 1100.0 + 76.0 + 96.0);
}

// 100 blocks: 1 leaves 64 idle ones behind, 2 needs 69 of its own, so 33 must go: two hashed blocks
// of 32. The last of 1's chain is given up before its first.
TEST(EngineScheduling, GivesIdlePrefixesUpForRoom) {
  Sharing s(Admission::reserve, 100);
  s.loop().submit(s.sequence(1, s.first), Seconds{0.0});
  s.loop().run();
  s.loop().submit(s.sequence(2, s.second), Seconds{100.0});
  s.loop().run();
  const auto& changes = s.loop().cache_changes;
  ASSERT_EQ(changes.size(), 6U);
  EXPECT_FALSE(changes[2].cached);
  EXPECT_EQ(changes[2].hash, s.table.hashes(s.first)[1]);
  EXPECT_EQ(changes[3].hash, s.table.hashes(s.first)[0]);
  EXPECT_EQ(s.loop().engine.kv().idle(), 64U);
  EXPECT_TRUE(s.loop().engine.kv_adds_up());
}

TEST(EngineScheduling, ADeadHostForgetsItsPrefixes) {
  Sharing s(Admission::on_demand);
  s.loop().submit(s.sequence(1, s.first, 50), Seconds{0.0});
  s.loop().run_until(Seconds{13.0});
  std::vector<Sequence> held;
  s.loop().engine.take_all(Seconds{13.0}, held);
  EXPECT_EQ(s.loop().engine.kv().idle(), 64U);
  s.loop().engine.lose_memory();
  EXPECT_EQ(s.loop().engine.kv().free(), s.loop().engine.kv().total());
  EXPECT_EQ(held.at(0).shared_hashes, 0U);
}

}  // namespace
}  // namespace specroute::sim
