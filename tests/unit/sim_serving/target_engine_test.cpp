#include "sim/serving/target_engine.hpp"

#include <cmath>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/sim_serving/engine_fixture.hpp"

namespace specroute::sim {
namespace {

// Alone, prompt 50, 3 tokens. Prefill pass: 1 + 0.1 + 50 * 0.01 = 1.6 s, emits token 1 (TTFT).
// Two decode passes of 1 + 0.1 = 1.1 s each: ends at 3.8 s.
TEST(TargetEngine, ServesOneRequestAloneInTheTimeOfItsPasses) {
  EngineLoop loop(engine_settings(), tables_accepting({1.0, 1.0}));
  Binding alone = loop.binding(0, false);
  loop.engine.bind(&alone);
  loop.submit(prompt_of(1, 50, 3), Seconds{0.0});
  loop.run();
  ASSERT_EQ(loop.finished.size(), 1U);
  EXPECT_DOUBLE_EQ(loop.finished[0].sequence.first_token.count(), 1.6);
  EXPECT_NEAR(loop.finished[0].at.count(), 3.8, 1e-12);
  EXPECT_EQ(loop.engine.tokens_emitted(), 3U);
  EXPECT_EQ(loop.engine.kv().allocated(), 0U);
  EXPECT_NEAR(loop.engine.busy_by(loop.now).count(), 3.8, 1e-12);
}

// With a draft of gamma = 2, certain acceptance, prompt 50, 7 tokens.
//   prefill 1.6 s -> token 1
//   cycle 1: to the draft 0.03; two passes 2 * 0.2, catching up 50 * 0.005 = 0.25; back 0.02 and
//   1 sequence * 2 positions * 5 B at 100 B/s = 0.1: 0.8 s; verification 1.1 s -> 3 tokens at 3.5
//   cycle 2: the same without catching up, 0.55 + 1.1 -> 3 tokens, the 7th, at 5.15 s.
TEST(TargetEngine, DraftsCrossTheNetworkAndAreVerified) {
  EngineLoop loop(engine_settings(), tables_accepting({1.0, 1.0}));
  Binding pair = loop.binding(0);
  pair.to_draft = Seconds{0.03};
  pair.from_draft = Seconds{0.02};
  pair.per_position = Bytes{5.0};
  pair.bandwidth = BytesPerSecond{100.0};
  loop.engine.bind(&pair);
  loop.submit(prompt_of(1, 50, 7), Seconds{0.0});
  loop.run();
  ASSERT_EQ(loop.finished.size(), 1U);
  EXPECT_NEAR(loop.finished[0].sequence.first_token.count(), 1.6, 1e-12);
  EXPECT_NEAR(loop.finished[0].at.count(), 5.15, 1e-9);
  EXPECT_EQ(pair.counts[0].steps_accepting[2], 2U);
  EXPECT_NEAR(loop.draft.busy_by(loop.now).count(), 0.65 + 0.4, 1e-12);
  ASSERT_EQ(loop.emissions.size(), 2U);
  EXPECT_NEAR(loop.emissions[0].gap.count(), 1.9, 1e-9);
  EXPECT_NEAR(loop.emissions[1].gap.count(), 1.65, 1e-9);
}

// Two requests, the second of which comes while drafts are on their way (from 1.6 to 2.28 s).
TEST(TargetEngine, SpendsNoEventOnDraftsThatNothingDisturbs) {
  const auto ran = [](bool undisturbed, std::size_t& draft_events) {
    TargetEngineSettings settings = engine_settings();
    settings.undisturbed = undisturbed;
    EngineLoop loop(settings, tables_accepting({1.0, 0.5}));
    Binding pair = loop.binding(0);
    pair.to_draft = Seconds{0.03};
    loop.engine.bind(&pair);
    loop.submit(prompt_of(1, 50, 7), Seconds{0.0});
    loop.submit(prompt_of(2, 20, 9), Seconds{1.7});
    loop.run();
    EXPECT_EQ(loop.finished.size(), 2U);
    draft_events = loop.draft_events;
    return std::tuple(loop.finished.at(0).at, loop.finished.at(1).at, loop.engine.busy_by(loop.now),
                      loop.engine.kv_block_seconds(loop.now), loop.engine.work().pairs);
  };
  std::size_t with_events = 0;
  std::size_t without = 0;
  EXPECT_EQ(ran(false, with_events), ran(true, without));
  EXPECT_GE(with_events, 3U);
  EXPECT_EQ(without, 0U);
}

// Only the prefill of 1.6 s was worked: the pass whose drafts were on their way never began.
TEST(TargetEngine, DropsAForeseenPassWithItsDrafts) {
  TargetEngineSettings settings = engine_settings();
  settings.undisturbed = true;
  EngineLoop loop(settings, tables_accepting({1.0, 1.0}));
  Binding pair = loop.binding(0);
  loop.engine.bind(&pair);
  loop.submit(prompt_of(1, 50, 7), Seconds{0.0});
  loop.run_until(Seconds{1.7});
  std::vector<Sequence> held;
  loop.engine.take_all(loop.now, held);
  loop.run();
  EXPECT_EQ(held.size(), 1U);
  EXPECT_TRUE(loop.finished.empty());
  EXPECT_NEAR(loop.engine.busy_by(loop.now).count(), 1.6, 1e-12);
}

// 250 prompt tokens in chunks of 100: passes of 100, 100, 50 tokens, 2.1 + 2.1 + 1.6 s.
TEST(TargetEngine, SpreadsALongPromptOverPasses) {
  EngineLoop loop(engine_settings(), tables_accepting({1.0}));
  Binding alone = loop.binding(0, false);
  loop.engine.bind(&alone);
  loop.submit(prompt_of(1, 250, 1), Seconds{0.0});
  loop.run();
  ASSERT_EQ(loop.finished.size(), 1U);
  EXPECT_EQ(loop.passes.size(), 3U);
  EXPECT_NEAR(loop.finished[0].at.count(), 5.8, 1e-9);
}

// Two prompts of 60 share a chunk of 100: the first is whole (60), the second gets 40, then 20.
// Pass 1: 1 + 0.2 + 1.0 = 2.2 s. Pass 2 has no decode (the first ended): 1 + 0.1 + 0.2 = 1.3 s.
TEST(TargetEngine, SharesAChunkInOrderOfArrival) {
  EngineLoop loop(engine_settings(), tables_accepting({1.0}));
  Binding alone = loop.binding(0, false);
  loop.engine.bind(&alone);
  loop.submit(prompt_of(9, 10, 1), Seconds{0.0});  // until 1.2 s both wait for this one
  loop.submit(prompt_of(1, 60, 1), Seconds{0.1});
  loop.submit(prompt_of(2, 60, 1), Seconds{0.2});
  loop.run();
  ASSERT_EQ(loop.finished.size(), 3U);
  EXPECT_EQ(loop.finished[1].sequence.request.value, 1U);
  EXPECT_NEAR(loop.finished[1].at.count(), 1.2 + 2.2, 1e-9);
  EXPECT_NEAR(loop.finished[2].at.count(), 1.2 + 2.2 + 1.3, 1e-9);
}

// A prompt that needs prefilling again after its first engine died keeps its tokens: 20 + 5 tokens
// of context are prefilled (1 + 0.1 + 0.25 s), and its first token's date stays.
TEST(TargetEngine, PrefillsPromptAndEmittedTokensOfAMovedSequence) {
  EngineLoop loop(engine_settings(), tables_accepting({1.0}));
  Binding alone = loop.binding(0, false);
  loop.engine.bind(&alone);
  Sequence moved = prompt_of(1, 20, 6);
  moved.emitted = 5;
  moved.first_token = Seconds{-3.0};
  loop.submit(moved, Seconds{0.0});
  loop.run();
  ASSERT_EQ(loop.finished.size(), 1U);
  EXPECT_NEAR(loop.finished[0].at.count(), 1.35, 1e-12);
  EXPECT_EQ(loop.finished[0].sequence.first_token, Seconds{-3.0});
  EXPECT_EQ(loop.engine.tokens_emitted(), 1U);
}

// Two halves of one sequence each: while one is verified (1.1 s) the other drafts (0.4 s), so in
// the steady state the target is never idle, and a cycle of a half is two verifications.
TEST(TargetEngine, VerifiesOneHalfWhileTheOtherDrafts) {
  EngineLoop loop(engine_settings(2), tables_accepting({1.0, 1.0}));
  Binding pair = loop.binding(0);
  loop.engine.bind(&pair);
  loop.submit(prompt_of(1, 10, 100), Seconds{0.0});
  loop.submit(prompt_of(2, 10, 100), Seconds{0.0});
  loop.run_until(Seconds{30.0});
  for (std::size_t i = 5; i < loop.passes.size(); ++i) {
    EXPECT_NEAR((loop.passes[i].first - loop.passes[i - 1].second).count(), 0.0, 1e-9) << i;
    EXPECT_NEAR((loop.passes[i].second - loop.passes[i].first).count(), 1.1, 1e-9) << i;
  }
  EXPECT_NEAR(loop.emissions.back().gap.count(), 2.2, 1e-9);
}

// One half cannot overlap: its cycle is 0.4 s of drafts and then 1.1 s of verification.
TEST(TargetEngine, DraftsAndVerifiesInTurnWithOneHalf) {
  EngineLoop loop(engine_settings(1), tables_accepting({1.0, 1.0}));
  Binding pair = loop.binding(0);
  loop.engine.bind(&pair);
  loop.submit(prompt_of(1, 10, 100), Seconds{0.0});
  loop.run_until(Seconds{20.0});
  EXPECT_NEAR(loop.emissions.back().gap.count(), 1.5, 1e-9);
}

// 10 blocks of 10 tokens; each request needs ceil((40 + 10) / 10) = 5: two fit, the third waits
// for one to end, and the small fourth does not overtake it.
TEST(TargetEngine, AdmitsInOrderAsFarAsTheKvCacheReaches) {
  TargetEngineSettings settings = engine_settings();
  settings.kv_blocks = 10;
  EngineLoop loop(settings, tables_accepting({1.0}));
  Binding alone = loop.binding(0, false);
  loop.engine.bind(&alone);
  for (std::uint64_t r = 1; r <= 3; ++r) loop.submit(prompt_of(r, 40, 10), Seconds{0.0});
  loop.submit(prompt_of(4, 1, 1), Seconds{0.0});
  loop.run_until(Seconds{4.0});
  EXPECT_EQ(loop.engine.running(), 2U);
  EXPECT_EQ(loop.engine.waiting(), 2U);
  EXPECT_EQ(loop.engine.kv().allocated(), 10U);
  loop.run();
  ASSERT_EQ(loop.finished.size(), 4U);
  EXPECT_EQ(loop.engine.kv().peak(), 10U);
  const auto first_token = [&](std::uint64_t request) {
    for (const auto& left : loop.finished)
      if (left.sequence.request.value == request) return left.sequence.first_token;
    return Seconds{-1.0};
  };
  EXPECT_LE(first_token(3), first_token(4));
}

TEST(TargetEngine, RejectsWhatCouldNeverFit) {
  TargetEngineSettings settings = engine_settings();
  settings.kv_blocks = 10;
  EngineLoop loop(settings, tables_accepting({1.0}));
  Binding alone = loop.binding(0, false);
  loop.engine.bind(&alone);
  loop.submit(prompt_of(1, 95, 6), Seconds{0.0});  // 101 tokens: 11 blocks
  EXPECT_EQ(loop.rejected.size(), 1U);
  EXPECT_EQ(loop.engine.running() + loop.engine.waiting(), 0U);
}

TEST(TargetEngine, NeverHoldsMoreThanItsMaximum) {
  EngineLoop loop(engine_settings(2), tables_accepting({0.5}));
  Binding alone = loop.binding(0, false);
  loop.engine.bind(&alone);
  for (std::uint64_t r = 0; r < 30; ++r) loop.submit(prompt_of(r, 5, 6), Seconds{0.0});
  for (double t = 0.0; t < 40.0; t += 0.5) {
    loop.run_until(Seconds{t});
    EXPECT_LE(loop.engine.running(), 8U);
  }
  loop.run();
  EXPECT_EQ(loop.finished.size(), 30U);
}

// The draft dies while it drafts: the verification that follows emits one token a sequence and
// counts as undrafted; from the next cycle on nobody waits for a draft.
TEST(TargetEngine, DecodesAloneOnceItsDraftDied) {
  EngineLoop loop(engine_settings(), tables_accepting({1.0, 1.0}));
  Binding pair = loop.binding(0);
  loop.engine.bind(&pair);
  loop.submit(prompt_of(1, 10, 6), Seconds{0.0});
  loop.run_until(Seconds{1.3});  // prefill ended at 1.2 s, drafting until 1.2 + 0.4 + 0.05
  pair.draft_alive = false;
  loop.run();
  ASSERT_EQ(loop.finished.size(), 1U);
  // 1.65 s: verification of nothing, 1.1 s a token, 5 tokens: 1.65 + 5.5 = 7.15 s.
  EXPECT_NEAR(loop.finished[0].at.count(), 7.15, 1e-9);
  for (const RowCounts& row : pair.counts)
    for (const std::uint64_t steps : row.steps_accepting) EXPECT_EQ(steps, 0U);
  EXPECT_EQ(pair.undrafted[0].steps_accepting[0], 5U);
}

// A bind that commits in the middle of a cycle takes effect with the next: this cycle's counts
// and blame stay with the old pairing.
TEST(TargetEngine, ChangesItsBindingBetweenCycles) {
  EngineLoop loop(engine_settings(), tables_accepting({1.0, 1.0}));
  Binding before = loop.binding(0);
  Binding after = loop.binding(1);
  loop.engine.bind(&before);
  loop.submit(prompt_of(1, 10, 7), Seconds{0.0});
  loop.run_until(Seconds{1.3});
  loop.engine.bind(&after);
  loop.run();
  EXPECT_EQ(before.counts[0].steps_accepting[2], 1U);
  EXPECT_EQ(after.counts[0].steps_accepting[2], 1U);
}

// Prompts served while there was no draft are nobody's backlog: the contexts of what still decodes
// were rebuilt at the bind, so the first drafts after it take two bare passes, 0.4 s.
TEST(TargetEngine, OwesANewDraftNothingForPromptsServedAlone) {
  EngineLoop loop(engine_settings(), tables_accepting({1.0, 1.0}));
  Binding alone = loop.binding(0, false);
  Binding pair = loop.binding(1);
  loop.engine.bind(&alone);
  loop.submit(prompt_of(1, 90, 2), Seconds{0.0});
  loop.submit(prompt_of(2, 90, 40), Seconds{0.0});
  loop.run_until(Seconds{12.0});
  loop.engine.bind(&pair);
  loop.run();
  const double drafting = loop.draft.busy_by(loop.now).count();
  std::uint64_t steps = 0;
  for (const std::uint64_t n : pair.counts[0].steps_accepting) steps += n;
  EXPECT_NEAR(drafting, 0.4 * static_cast<double>(steps), 1e-9);
}

TEST(TargetEngine, HandsOverEverythingItHeldOnceAndFreesItsCache) {
  EngineLoop loop(engine_settings(2), tables_accepting({0.5, 0.2}));
  Binding pair = loop.binding(0);
  loop.engine.bind(&pair);
  for (std::uint64_t r = 0; r < 20; ++r) loop.submit(prompt_of(r, 30, 60), Seconds{0.0});
  loop.run_until(Seconds{9.0});
  std::vector<Sequence> held;
  loop.engine.take_all(loop.now, held);
  EXPECT_EQ(held.size() + loop.finished.size(), 20U);
  EXPECT_EQ(loop.engine.kv().allocated(), 0U);
  EXPECT_EQ(loop.engine.running() + loop.engine.waiting(), 0U);
  EXPECT_EQ(loop.engine.context_tokens(), 0U);
  const std::uint64_t before = loop.engine.tokens_emitted();
  loop.run();  // what was scheduled in the earlier life changes nothing
  EXPECT_EQ(loop.engine.tokens_emitted(), before);
}

TEST(TargetEngine, ExpiresWhatWaitsAndWhatDecodes) {
  TargetEngineSettings settings = engine_settings();
  settings.max_sequences = 1;
  EngineLoop loop(settings, tables_accepting({0.0}));
  Binding alone = loop.binding(0, false);
  loop.engine.bind(&alone);
  Sequence decoding = prompt_of(1, 10, 100);
  decoding.deadline = Seconds{5.0};
  Sequence waiting = prompt_of(2, 10, 100);
  waiting.deadline = Seconds{2.0};
  loop.submit(decoding, Seconds{0.0});
  loop.submit(waiting, Seconds{0.0});
  loop.run();
  ASSERT_EQ(loop.expired.size(), 2U);
  EXPECT_TRUE(loop.finished.empty());
  EXPECT_EQ(loop.engine.kv().allocated(), 0U);
}

}  // namespace
}  // namespace specroute::sim
