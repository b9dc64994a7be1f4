#include "sim/serving/target_engine.hpp"

#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/sim_serving/engine_fixture.hpp"

namespace specroute::sim {
namespace {

/// What an engine went through, told by who left it and how.
struct Ends {
  std::map<std::uint64_t, int> times;  ///< each request, how often it left
  std::uint64_t tokens = 0;

  void add(const std::vector<EngineLoop::Left>& some) {
    for (const auto& left : some) {
      ++times[left.sequence.request.value];
      tokens += left.sequence.emitted;
    }
  }
};

void run_random_life(std::uint32_t half_batches) {
  TargetEngineSettings settings = engine_settings(half_batches);
  settings.kv_blocks = *rc::gen::inRange(12U, 80U);
  EngineLoop loop(settings, tables_accepting({0.7, 0.4}));
  std::vector<Binding> bindings;
  for (std::uint32_t p = 0; p < 4; ++p) bindings.push_back(loop.binding(p, p % 2 == 0));
  loop.engine.bind(&bindings[0]);
  std::uint64_t submitted = 0;
  double now = 0.0;
  const auto moves = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 20));
  for (const int move : moves) {
    now += 0.25 * *rc::gen::inRange(0, 8);
    if (move < 14) {
      Sequence s = sequence_of(submitted++, *rc::gen::inRange(1U, 30U));
      s.prompt_tokens = *rc::gen::inRange(1U, 150U);
      s.deadline = Seconds{now + *rc::gen::inRange(1, 200)};
      loop.submit(s, Seconds{now});
    } else if (move < 17) {
      loop.run_until(Seconds{now});
      loop.engine.bind(&bindings[*rc::gen::inRange<std::size_t>(0, 4)]);
    } else if (move == 17) {
      loop.run_until(Seconds{now});
      for (Binding& binding : bindings) binding.draft_alive = !binding.draft_alive;
    } else {
      loop.run_until(Seconds{now});
      std::vector<Sequence> held;
      loop.engine.take_all(loop.now, held);
      RC_ASSERT(loop.engine.kv().allocated() == 0U);
      for (const Sequence& s : held) loop.submit(s, Seconds{now});
    }
    RC_ASSERT(loop.engine.kv().allocated() <= loop.engine.kv().total());
  }
  loop.run();
  Ends ends;
  ends.add(loop.finished);
  ends.add(loop.expired);
  ends.add(loop.rejected);
  RC_ASSERT(ends.times.size() == submitted);
  for (const auto& [request, times] : ends.times) RC_ASSERT(times == 1);
  RC_ASSERT(ends.tokens == loop.engine.tokens_emitted());
  RC_ASSERT(loop.engine.kv().allocated() == 0U);
  RC_ASSERT(loop.engine.running() + loop.engine.waiting() == 0U);
  for (const auto& left : loop.finished) RC_ASSERT(left.sequence.emitted == left.sequence.length);
}

RC_GTEST_PROP(TargetEngineProperty, EverySequenceLeavesOnceWithOneHalf, ()) {
  run_random_life(1);
}

RC_GTEST_PROP(TargetEngineProperty, EverySequenceLeavesOnceWithTwoHalves, ()) {
  run_random_life(2);
}

// Without a take_all in between, passes as scheduled are passes as run.
RC_GTEST_PROP(TargetEngineProperty, TheTargetRunsOnePassAtATime, ()) {
  EngineLoop loop(engine_settings(2), tables_accepting({0.7, 0.4}));
  Binding pair = loop.binding(0);
  loop.engine.bind(&pair);
  const auto lengths = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(1U, 40U));
  double now = 0.0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    now += 0.1 * *rc::gen::inRange(0, 30);
    loop.submit(sequence_of(i, lengths[i]), Seconds{now});
  }
  loop.run();
  RC_ASSERT(loop.finished.size() == lengths.size());
  Seconds busy{0.0};
  for (std::size_t i = 0; i < loop.passes.size(); ++i) {
    busy += loop.passes[i].second - loop.passes[i].first;
    if (i > 0) RC_ASSERT(loop.passes[i].first >= loop.passes[i - 1].second);
  }
  RC_ASSERT(std::abs((busy - loop.engine.busy_by(loop.now)).count()) < 1e-6);
}

// A half admits up to its share, ceil(half of all in sight): in a burst that finds the engine busy
// the next two cycles take equal parts, so their emissions differ by one sequence at most.
RC_GTEST_PROP(TargetEngineProperty, HalvesAreBalancedWithinOneAtAdmission, ()) {
  TargetEngineSettings settings = engine_settings(2);
  settings.max_sequences = 64;
  settings.kv_blocks = 10'000;
  settings.prefill_chunk_tokens = 10'000;
  EngineLoop loop(settings, tables_accepting({0.0}));
  Binding pair = loop.binding(0);
  loop.engine.bind(&pair);
  const auto burst = *rc::gen::inRange(1U, 60U);
  for (std::uint32_t i = 0; i < burst; ++i) loop.submit(sequence_of(i, 1000), Seconds{0.0});
  loop.run_until(Seconds{60.0});
  RC_ASSERT(loop.engine.waiting() == 0U);
  const auto& last = loop.emissions.back();
  const auto& other = loop.emissions[loop.emissions.size() - (burst > 1 ? 2 : 1)];
  RC_ASSERT(last.sequences + (burst > 1 ? other.sequences : 0U) == burst);
  if (burst > 1)
    RC_ASSERT(std::max(last.sequences, other.sequences) -
                  std::min(last.sequences, other.sequences) <=
              1U);
}

}  // namespace
}  // namespace specroute::sim
