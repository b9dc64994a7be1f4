// Engines that are slow, that hang, whose drafts do not come, from which requests are taken back.
#include <gtest/gtest.h>

#include "tests/unit/sim_serving/engine_fixture.hpp"

namespace specroute::sim {
namespace {

// Prompt 50, 3 tokens: 1.6 + 2 x 1.1 s. Ten times slower from 2.0 s on: the pass under way ends at
// 2.7 s as it would have, the next one takes 11 s.
TEST(SlowEngine, TakesItsFactorFromTheNextPassOn) {
  EngineLoop loop(engine_settings(), tables_accepting({1.0, 1.0}));
  Binding alone = loop.binding(0, false);
  loop.engine.bind(&alone);
  loop.submit(prompt_of(1, 50, 3), Seconds{0.0});
  loop.run_until(Seconds{2.0});
  loop.engine.slow_down(10.0);
  loop.run();
  ASSERT_EQ(loop.finished.size(), 1U);
  EXPECT_NEAR(loop.finished[0].at.count(), 2.7 + 11.0, 1e-12);
}

// The pass from 1.6 to 2.7 s stands still from 2.0 to 7.0 s: all ends 5 s later than 3.8 s.
TEST(HungEngine, EndsItsPassLaterByTheTimeThatItStood) {
  EngineLoop loop(engine_settings(), tables_accepting({1.0, 1.0}));
  Binding alone = loop.binding(0, false);
  loop.engine.bind(&alone);
  loop.submit(prompt_of(1, 50, 3), Seconds{0.0});
  loop.run_until(Seconds{2.0});
  loop.hung = true;
  loop.run_until(Seconds{7.0});
  loop.hung = false;
  loop.call([](TargetEngine& e, EngineActions& out) { e.thaw(Seconds{2.0}, Seconds{7.0}, out); });
  loop.run();
  ASSERT_EQ(loop.finished.size(), 1U);
  EXPECT_NEAR(loop.finished[0].at.count(), 8.8, 1e-12);
}

// A request that comes at 4 s, in the middle of the hang, has its whole pass before it at 7 s.
TEST(HungEngine, BeginsWhatCameMeanwhileWhenItGoesOn) {
  EngineLoop loop(engine_settings(), tables_accepting({1.0, 1.0}));
  Binding alone = loop.binding(0, false);
  loop.engine.bind(&alone);
  loop.hung = true;
  loop.submit(prompt_of(1, 50, 1), Seconds{4.0});
  loop.run_until(Seconds{7.0});
  loop.hung = false;
  loop.call([](TargetEngine& e, EngineActions& out) { e.thaw(Seconds{2.0}, Seconds{7.0}, out); });
  loop.run();
  ASSERT_EQ(loop.finished.size(), 1U);
  EXPECT_NEAR(loop.finished[0].at.count(), 7.0 + 1.6, 1e-12);
}

// Drafts would arrive at 1.6 + 2 x 0.2 + 50 x 0.005 = 2.25 s, and do not. Without a timeout the
// target waits for them; with one of 2 s it verifies alone at 3.6 s and has a token at 4.7 s.
TEST(MissingDrafts, AreWaitedForOrDoneWithout) {
  for (const bool patient : {true, false}) {
    TargetEngineSettings settings = engine_settings();
    if (!patient) settings.draft_timeout = Seconds{2.0};
    EngineLoop loop(settings, tables_accepting({1.0, 1.0}));
    Binding pair = loop.binding(7);
    loop.engine.bind(&pair);
    loop.drafts_silent = true;
    loop.submit(prompt_of(1, 50, 2), Seconds{0.0});
    loop.run_until(Seconds{2.0});
    EXPECT_EQ(loop.engine.drafting_under(0), PairingId{7});
    loop.run_until(Seconds{9.0});
    if (!patient) {
      ASSERT_EQ(loop.finished.size(), 1U);
      EXPECT_NEAR(loop.finished[0].at.count(), 1.6 + 2.0 + 1.1, 1e-12);
      EXPECT_EQ(pair.counts[0].steps_accepting[0], 0U) << "no draft is counted that never came";
      continue;
    }
    EXPECT_TRUE(loop.finished.empty());
    ASSERT_TRUE(loop.engine.misses_drafts(0));
    loop.drafts_silent = false;
    loop.call([](TargetEngine& e, EngineActions& out) { e.resume_drafts(0, Seconds{9.0}, out); });
    loop.run();
    ASSERT_EQ(loop.finished.size(), 1U);
    EXPECT_NEAR(loop.finished[0].at.count(), 9.0 + 1.1, 1e-12);
  }
}

TargetEngineSettings waiting_at_most(double timeout) {
  TargetEngineSettings settings = engine_settings();
  settings.draft_timeout = Seconds{timeout};
  return settings;
}

/// An engine that waits for its drafts at most so long, beside its draft.
struct ImpatientLoop : EngineLoop {
  explicit ImpatientLoop(double timeout)
      : EngineLoop(waiting_at_most(timeout), tables_accepting({1.0, 1.0})), pair(binding(7)) {
    engine.bind(&pair);
  }
  void send_drafts_as_flows(double time) {
    pair.per_position = Bytes{1.0};
    pair.flow_from = Bytes{1.0};
    flow_time = Seconds{time};
  }
  Binding pair;
};

// A draft that takes 6.5 s from 1.6 s on, under a timeout of 0.5 s. The first token without it
// costs 0.5 + 1.1 s. Until 8.1 s the draft works for nobody, and the target does not ask it
// again: 1.1 s a token.
TEST(LateDrafts, AreNotWaitedForBeyondTheTimeout) {
  ImpatientLoop loop(0.5);
  loop.draft.slowdown = 10.0;
  loop.submit(prompt_of(1, 50, 4), Seconds{0.0});
  loop.run();
  ASSERT_EQ(loop.finished.size(), 1U);
  EXPECT_NEAR(loop.finished[0].at.count(), 1.6 + 1.6 + 2 * 1.1, 1e-9);
  EXPECT_NEAR(loop.draft.busy_by(Seconds{5.4}).count(), 5.4 - 1.6, 1e-9);
  EXPECT_NEAR(loop.draft.busy_by(Seconds{100.0}).count(), 6.5, 1e-9);
}

// At 8.7 s, the next cycle after 8.1 s, it is asked again: one pass at a time, never two in line.
TEST(LateDrafts, HaveOneRequestInLine) {
  ImpatientLoop loop(0.5);
  loop.draft.slowdown = 10.0;
  loop.submit(prompt_of(1, 50, 100), Seconds{0.0});
  loop.run_until(Seconds{8.6});
  EXPECT_NEAR(loop.draft.busy_by(Seconds{1000.0}).count(), 6.5, 1e-9);
  loop.run_until(Seconds{8.8});
  // Two passes in 0.4 s, and five tokens of the passes without it to read: ten times 0.425 s.
  EXPECT_NEAR(loop.draft.busy_by(Seconds{1000.0}).count(), 6.5 + 4.25, 1e-9);
  EXPECT_NEAR(loop.draft.busy_by(Seconds{9.7}).count(), 6.5 + 1.0, 1e-9);
}

// Drafts leave at 2.25 s as a flow. Of 1 s: all three tokens after the pass of [3.25, 4.35] s. Of
// 10 s: the timeout of 2 s runs out at 3.6 s, and while the flow is there the target is alone.
TEST(LateDrafts, AreNotWaitedForAsAFlowEither) {
  for (const bool fast : {true, false}) {
    ImpatientLoop loop(2.0);
    loop.send_drafts_as_flows(fast ? 1.0 : 10.0);
    loop.submit(prompt_of(1, 50, 4), Seconds{0.0});
    loop.run();
    ASSERT_EQ(loop.finished.size(), 1U);
    EXPECT_NEAR(loop.finished[0].at.count(), fast ? 4.35 : 3.6 + 3 * 1.1, 1e-9);
    EXPECT_EQ(loop.pair.counts[0].steps_accepting[2], fast ? 1U : 0U);
  }
}

// The flow of 3 s ends at 5.25 s, in the pass of [4.7, 5.8] s, and changes nothing there. Then the
// draft is asked again: 0.4 s and one token to read, a flow of 1 s, and the pass gives three
// tokens.
TEST(LateDrafts, ChangeNothingWhenTheirFlowEnds) {
  ImpatientLoop loop(2.0);
  loop.send_drafts_as_flows(3.0);
  loop.submit(prompt_of(1, 50, 20), Seconds{0.0});
  loop.run_until(Seconds{5.9});
  EXPECT_EQ(loop.engine.look_at(1)->emitted, 3U);
  loop.flow_time = Seconds{1.0};
  loop.run_until(Seconds{8.4});
  EXPECT_EQ(loop.engine.look_at(1)->emitted, 6U);
  EXPECT_NEAR(loop.passes.at(3).first.count(), 5.8 + 0.405 + 1.0, 1e-9);
}

// Passes of 6.5 s from 1.6 s on: cut off at 4 s, 2.4 s were spent and no work was done.
TEST(DraftEngine, CountsWhatItDidBeforeItDied) {
  DraftEngine draft;
  models::WorkDone work{.decode_tokens = 2.0};
  const auto first = draft.queue({.time = Seconds{6.5}, .work = work}, Seconds{1.6}, Seconds{1.6});
  const auto second = draft.queue({.time = Seconds{6.5}, .work = work}, Seconds{1.6}, Seconds{1.6});
  EXPECT_EQ(second.ends, Seconds{14.6});
  EXPECT_EQ(draft.busy_by(Seconds{4.0}), Seconds{2.4});
  EXPECT_EQ(draft.work_by(Seconds{8.1}).decode_tokens, 2.0);
  draft.stop(Seconds{4.0});
  EXPECT_FALSE(draft.holds(first.number, Seconds{4.0}));
  EXPECT_EQ(draft.busy_by(Seconds{20.0}), Seconds{2.4});
  EXPECT_EQ(draft.work_by(Seconds{20.0}).decode_tokens, 0.0);
  const auto third = draft.queue({.time = Seconds{1.0}, .work = work}, Seconds{5.0}, Seconds{5.0});
  EXPECT_TRUE(draft.holds(third.number, Seconds{5.5}));
  EXPECT_FALSE(draft.holds(third.number, Seconds{6.0}));
  EXPECT_FALSE(draft.holds(second.number, Seconds{5.5}));
}

// Prompt 50: a pass of 1.6 s. Cut off at 1 s, or looked at then.
TEST(TargetEngineBusy, CountsAPassUpToItsCutOff) {
  EngineLoop loop(engine_settings(), tables_accepting({1.0, 1.0}));
  Binding alone = loop.binding(0, false);
  loop.engine.bind(&alone);
  loop.submit(prompt_of(1, 50, 3), Seconds{0.0});
  loop.run_until(Seconds{1.0});
  EXPECT_EQ(loop.engine.busy_by(Seconds{1.0}), Seconds{1.0});
  std::vector<Sequence> held;
  loop.engine.take_all(Seconds{1.0}, held);
  EXPECT_EQ(loop.engine.busy_by(Seconds{9.0}), Seconds{1.0});
  EXPECT_EQ(loop.engine.work().prompt_tokens, 0.0);
}

// Whoever is taken back, from the line, a prefill or the batch, in the middle of whatever pass:
// all blocks add up, and the others end.
TEST(Withdrawal, LeavesTheRestAsItIs) {
  for (const Admission admission : {Admission::reserve, Admission::on_demand})
    for (int tenths = 0; tenths < 120; ++tenths)
      for (const std::uint32_t slot : {1U, 2U, 3U}) {
        TargetEngineSettings settings = engine_settings(2);
        settings.admission = admission;
        settings.max_sequences = 2;
        EngineLoop loop(settings, tables_accepting({0.5, 0.25}));
        Binding pair = loop.binding(7);
        loop.engine.bind(&pair);
        for (const std::uint64_t request : {1, 2, 3})
          loop.submit(prompt_of(request, 150, 5), Seconds{0.0});
        loop.run_until(Seconds{0.1 * tenths});
        const auto held = loop.engine.look_at(slot);
        std::optional<Sequence> taken;
        loop.call([&](TargetEngine& e, EngineActions&) { taken = e.withdraw(slot, loop.now); });
        ASSERT_EQ(taken.has_value(), held.has_value());
        if (taken) {
          EXPECT_EQ(taken->slot, slot);
          EXPECT_EQ(taken->emitted, held->emitted);
        }
        loop.run();
        EXPECT_EQ(loop.finished.size(), taken ? 2U : 3U);
        EXPECT_TRUE(loop.kv_added_up);
        EXPECT_EQ(loop.engine.kv().allocated(), 0U);
        EXPECT_FALSE(loop.engine.look_at(slot).has_value());
      }
}

// A draft of the target's own devices has made the drafts of 1 for 0.45 s when 1 is taken back, its
// half waiting for the pass of 2. At 2.4 s that half is empty. 3 comes at 2.5 s and is computed
// from 3.95 s on, in 1.2 s, of which none is 1's.
TEST(Withdrawal, LeavesNoDraftsBehindForOthersToPay) {
  EngineLoop loop(engine_settings(2), tables_accepting({1.0, 1.0}));
  Binding pair = loop.binding(7);
  pair.co_located = true;
  loop.engine.bind(&pair);
  loop.submit(prompt_of(1, 10, 50), Seconds{0.0});
  loop.submit(prompt_of(2, 10, 50), Seconds{0.0});
  loop.run_until(Seconds{1.5});
  loop.call([&](TargetEngine& e, EngineActions&) { (void)e.withdraw(1, loop.now); });
  loop.submit(prompt_of(3, 10, 50), Seconds{2.5});
  loop.run_until(Seconds{6.0});
  ASSERT_GE(loop.passes.size(), 4U);
  EXPECT_NEAR(loop.passes[3].first.count(), 2.4 + 0.45 + 1.1, 1e-9);
  EXPECT_NEAR(loop.passes[3].second.count(), 3.95 + 1.2, 1e-9);
}

// 1 is verified alone beside the prompt of 2, in [1.65, 2.95] s. Then both have two draft tokens to
// come, and 2 is taken back: three positions each time.
TEST(Withdrawal, TakesItsPositionsOutOfThePass) {
  EngineLoop loop(engine_settings(), tables_accepting({1.0, 1.0}));
  Binding pair = loop.binding(7);
  loop.engine.bind(&pair);
  loop.submit(prompt_of(1, 10, 7), Seconds{0.0});
  loop.submit(prompt_of(2, 10, 50), Seconds{0.0});
  loop.run_until(Seconds{3.0});
  loop.call([&](TargetEngine& e, EngineActions&) { (void)e.withdraw(2, loop.now); });
  loop.run();
  EXPECT_EQ(loop.finished.size(), 1U);
  EXPECT_EQ(loop.engine.work().decode_tokens, 3.0 + 3.0);
}

}  // namespace
}  // namespace specroute::sim
