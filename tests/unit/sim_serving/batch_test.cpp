#include "sim/serving/batch.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/sim_serving/batch_fixture.hpp"

namespace specroute::sim {
namespace {

using models::kCertain;

// Two drafts, both certain: each step emits 2 accepted + 1 bonus = 3 tokens.
TEST(Batch, EmitsGammaPlusOneTokensWhereAcceptanceIsCertain) {
  SteppedBatch b(tables_accepting({1.0, 1.0}));
  b.batch.join(sequence_of(1, 100));
  b.batch.join(sequence_of(2, 100));
  EXPECT_EQ(b.step(), 6U);
  EXPECT_EQ(b.counts[0].steps_accepting[2], 2U);
  EXPECT_EQ(b.batch.context_tokens(), 2U * (10 + 3));
}

TEST(Batch, EmitsOneTokenWhereRejectionIsCertain) {
  SteppedBatch b(tables_accepting({0.0, 0.0}));
  b.batch.join(sequence_of(1, 100));
  EXPECT_EQ(b.step(), 1U);
  EXPECT_EQ(b.counts[0].steps_accepting[0], 1U);
}

// First draft certain, second impossible: 1 + 1 tokens a step.
TEST(Batch, StopsAtTheFirstRejectedDraft) {
  SteppedBatch b(tables_accepting({1.0, 0.0, 0.0}));
  b.batch.join(sequence_of(1, 100));
  EXPECT_EQ(b.step(), 2U);
  EXPECT_EQ(b.counts[0].steps_accepting[1], 1U);
}

// Length 4 at 3 tokens a step: 3, then 1 of the 3 that the step could give.
TEST(Batch, CutsTheLastStepAtTheLength) {
  SteppedBatch b(tables_accepting({1.0, 1.0}));
  b.batch.join(sequence_of(1, 4));
  EXPECT_EQ(b.step(), 3U);
  EXPECT_TRUE(b.finished.empty());
  EXPECT_EQ(b.step(), 1U);
  ASSERT_EQ(b.finished.size(), 1U);
  EXPECT_EQ(b.finished[0].emitted, 4U);
  EXPECT_EQ(b.batch.size(), 0U);
  EXPECT_EQ(b.batch.context_tokens(), 0U);
}

TEST(Batch, ReportsFinishedSequencesInBatchOrderAndKeepsTheOthers) {
  SteppedBatch b(tables_accepting({0.0}));
  for (std::uint64_t r = 0; r < 6; ++r) b.batch.join(sequence_of(r, r % 2 == 0 ? 1 : 5));
  b.step();
  ASSERT_EQ(b.finished.size(), 3U);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(b.finished[i].request.value, 2 * i);
  EXPECT_EQ(b.batch.size(), 3U);
  for (int i = 0; i < 4; ++i) b.step();
  std::vector<std::uint64_t> last;
  for (std::size_t i = 3; i < b.finished.size(); ++i) last.push_back(b.finished[i].request.value);
  std::ranges::sort(last);
  EXPECT_EQ(last, (std::vector<std::uint64_t>{1, 3, 5}));
}

// More drafts than the unrolled loops have: 7 certain drafts give 8 tokens.
TEST(Batch, TakesAnyNumberOfDraftTokens) {
  SteppedBatch b(tables_accepting({1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}));
  b.batch.join(sequence_of(1, 100));
  EXPECT_EQ(b.step(), 8U);
  SteppedBatch alone(tables_accepting({}));
  alone.batch.join(sequence_of(1, 100));
  EXPECT_EQ(alone.step(), 1U);
  SteppedBatch widest(tables_accepting({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
  widest.batch.join(sequence_of(1, 100));
  EXPECT_EQ(widest.step(), 17U);
}

// A step that spans several chunks of draws and ends within one.
TEST(Batch, AdvancesEverySequenceOfALargeBatchOnce) {
  SteppedBatch b(tables_accepting({1.0}), 1000);
  for (std::uint64_t r = 0; r < 777; ++r) b.batch.join(sequence_of(r, 1000));
  EXPECT_EQ(b.step(), 2U * 777U);
  std::vector<Sequence> all;
  b.batch.take_all(all);
  for (const Sequence& s : all) EXPECT_EQ(s.emitted, 2U);
}

StepTables looping_at_once() {
  StepTables tables = tables_accepting({0.0});
  tables.rows[0].loop.fill(kCertain);
  tables.rows[1] = row_accepting({1.0});  // a loop is easy to draft
  return tables;
}

// Three tokens to write. The first enters a loop, the second escapes it (an escape in the same
// step cannot be: one draw a step), and the two that were left follow: 1 + 1 + 2.
TEST(Batch, GoesOnAfterALoopWhereTheLoopBrokeIn) {
  StepTables tables = tables_accepting({0.0});
  tables.rows[0].loop[0] = kCertain;
  tables.rows[1].loop.fill(kCertain);  // of a looping row: escape
  SteppedBatch b(tables);
  Sequence s = sequence_of(1, 3);
  s.limit = 50;
  b.batch.join(s);
  b.step();
  b.tables.rows[0].loop.fill(0);  // it loops once only
  b.step();
  EXPECT_EQ(b.batch.size(), 1U);
  b.step();
  b.step();
  ASSERT_EQ(b.finished.size(), 1U);
  EXPECT_EQ(b.finished[0].emitted, 4U);
  EXPECT_FALSE(is_looping(b.finished[0].row));
  EXPECT_EQ(b.finished[0].loop_pairing, PairingId{7}) << "it looped all the same";
  EXPECT_FALSE(ended_by_detector(b.finished[0]));
}

TEST(Batch, CutsAnEscapedSequenceAtItsLimitToo) {
  StepTables tables = tables_accepting({0.0});
  tables.rows[0].loop[0] = kCertain;
  SteppedBatch b(tables);
  Sequence s = sequence_of(1, 5);
  s.limit = 6;
  b.batch.join(s);
  b.step();
  b.tables.rows[0].loop.fill(0);
  b.step();
  b.step();
  b.tables.rows[1].loop.fill(kCertain);
  b.step();  // escapes after 4 tokens with 4 unsaid: 8 are more than the limit
  b.step();
  EXPECT_EQ(b.batch.size(), 1U);
  b.step();
  ASSERT_EQ(b.finished.size(), 1U);
  EXPECT_EQ(b.finished[0].emitted, 6U);
}

// Loops of period 2, seen after 3 copies: entered after 1 token (the first copy began in the
// prompt), the detector needs 6 tokens of output.
TEST(Batch, EndsALoopThatItsEngineDetects) {
  SteppedBatch b(looping_at_once(), 64, LoopWatch{.period = 2, .tokens = 6});
  Sequence s = sequence_of(1, 3);
  s.limit = 100;
  b.batch.join(s);
  for (int i = 0; i < 4; ++i) b.step();  // 1 + 2 + 2 + 1
  ASSERT_EQ(b.finished.size(), 1U);
  EXPECT_EQ(b.finished[0].emitted, 6U);
  EXPECT_TRUE(ended_by_detector(b.finished[0]));
}

// Entered after 20 tokens, 2 of which are the first copy: 4 more.
TEST(LoopWatch, NeedsTheCopiesThatAreNotThereYet) {
  const LoopWatch watch{.period = 2, .tokens = 6};
  EXPECT_EQ(watch.length(20, 100), 24U);
  EXPECT_EQ(watch.length(20, 22), 22U);
  EXPECT_EQ(LoopWatch{}.length(20, 100), 100U);
}

TEST(Batch, RunsALoopOnToItsLimitUnderTheLoopingRow) {
  SteppedBatch b(looping_at_once());
  Sequence s = sequence_of(1, 3);
  s.limit = 9;
  b.batch.join(s);
  EXPECT_EQ(b.step(), 1U);                              // normal row: rejects, enters the loop
  for (int i = 0; i < 4; ++i) EXPECT_EQ(b.step(), 2U);  // 1 + 4 * 2 = 9
  ASSERT_EQ(b.finished.size(), 1U);
  EXPECT_EQ(b.finished[0].emitted, 9U);
  EXPECT_TRUE(is_looping(b.finished[0].row));
  EXPECT_EQ(b.counts[0].steps_accepting[0], 1U);
  EXPECT_EQ(b.counts[1].steps_accepting[1], 4U);
}

// The loop begins in the very step that would have ended the sequence.
TEST(Batch, LoopsFromTheLastTokenToo) {
  SteppedBatch b(looping_at_once());
  Sequence s = sequence_of(1, 1);
  s.limit = 3;
  b.batch.join(s);
  b.step();
  EXPECT_TRUE(b.finished.empty());
  b.step();
  ASSERT_EQ(b.finished.size(), 1U);
  EXPECT_EQ(b.finished[0].emitted, 3U);
}

TEST(Batch, EndsALoopThatBeginsAtTheLimit) {
  SteppedBatch b(looping_at_once());
  b.batch.join(sequence_of(1, 1));  // limit = length = 1
  b.step();
  ASSERT_EQ(b.finished.size(), 1U);
  EXPECT_EQ(b.finished[0].loop_pairing, PairingId{7});
}

TEST(Batch, BlamesTheFirstPairingForEachCause) {
  StepTables tables = tables_accepting({0.0});
  for (StepRow& row : tables.rows) {
    row.schema.fill(kCertain);
    row.corruption.fill(kCertain);
  }
  tables.rows[0].loop.fill(kCertain);
  SteppedBatch b(tables);
  b.batch.join(sequence_of(1, 2));
  b.step(PairingId{3});
  b.step(PairingId{4});
  ASSERT_EQ(b.finished.size(), 1U);
  EXPECT_EQ(b.finished[0].loop_pairing, PairingId{3});
  EXPECT_EQ(b.finished[0].schema_pairing, PairingId{3});
  EXPECT_EQ(b.finished[0].corruption_pairing, PairingId{3});
}

// It loops in the first step, under circumstance 5, and breaks its schema in the second, under 6:
// the loop carries the blame. The other way round, the violation does.
TEST(Batch, BlamesTheEarliestCauseOfACompletion) {
  for (const bool loop_first : {true, false}) {
    StepTables first = tables_accepting({0.0});
    StepTables second = first;
    for (StepRow& row : (loop_first ? second : first).rows) row.schema.fill(kCertain);
    (loop_first ? first : second).rows[0].loop.fill(kCertain);
    SteppedBatch b(first);
    b.batch.join(sequence_of(1, 2));
    b.step_under(first, CircumstanceId{5});
    b.step_under(second, CircumstanceId{6});
    ASSERT_EQ(b.finished.size(), 1U);
    EXPECT_TRUE(b.finished[0].loop_pairing.exists() && b.finished[0].schema_pairing.exists());
    EXPECT_EQ(b.finished[0].first_cause,
              loop_first ? DegradationCause::loop : DegradationCause::schema);
    EXPECT_EQ(b.finished[0].blamed, CircumstanceId{5});
  }
}

// Two sequences of kind 0 and one of kind 1; kinds leave the count with their sequences.
TEST(Batch, CountsItsSequencesByKind) {
  StepTables tables = tables_accepting({0.0});
  tables.rows.insert(tables.rows.end(), tables.rows.begin(), tables.rows.end());
  SteppedBatch b(tables);
  b.batch.join(sequence_of(1, 2));
  b.batch.join(sequence_of(2, 1));
  Sequence other = sequence_of(3, 3);
  other.row = normal_row(1);
  b.batch.join(other);
  const auto sizes = [&] {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> seen;
    b.batch.each_kind(
        [&](std::uint32_t kind, std::uint32_t size) { seen.emplace_back(kind, size); });
    return seen;
  };
  using Sizes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  EXPECT_EQ(sizes(), (Sizes{{0, 2}, {1, 1}}));
  b.step();
  EXPECT_EQ(sizes(), (Sizes{{0, 1}, {1, 1}}));
  b.step();
  EXPECT_EQ(sizes(), (Sizes{{1, 1}}));
}

TEST(Batch, BlamesNobodyWithoutAHazard) {
  SteppedBatch b(tables_accepting({0.5}));
  for (std::uint64_t r = 0; r < 64; ++r) b.batch.join(sequence_of(r, 3));
  for (int i = 0; i < 3; ++i) b.step();
  ASSERT_EQ(b.finished.size(), 64U);
  for (const Sequence& s : b.finished) EXPECT_FALSE(s.degraded());
}

// The hazard of a step is looked up by the tokens it emits: here only three at once are unsafe.
TEST(Batch, LooksHazardsUpByTheTokensEmitted) {
  StepTables tables = tables_accepting({1.0, 1.0});
  tables.rows[0].schema[3 - 1] = kCertain;
  SteppedBatch b(tables);
  b.batch.join(sequence_of(1, 2));  // truncated to two tokens: safe
  b.batch.join(sequence_of(2, 3));
  b.step();
  ASSERT_EQ(b.finished.size(), 2U);
  EXPECT_FALSE(b.finished[0].schema_pairing.exists());
  EXPECT_TRUE(b.finished[1].schema_pairing.exists());
}

TEST(Batch, ExpiresExactlyWhatIsDue) {
  SteppedBatch b(tables_accepting({0.0}));
  for (std::uint64_t r = 0; r < 5; ++r) {
    Sequence s = sequence_of(r, 50);
    s.deadline = Seconds{static_cast<double>(r)};
    b.batch.join(s);
  }
  b.step();
  std::vector<Sequence> expired;
  b.batch.expire(Seconds{-1.0}, expired);
  EXPECT_TRUE(expired.empty());
  b.batch.expire(Seconds{2.0}, expired);  // a deadline of now has passed
  std::vector<std::uint64_t> gone;
  for (const Sequence& s : expired) {
    gone.push_back(s.request.value);
    EXPECT_EQ(s.emitted, 1U);
  }
  std::ranges::sort(gone);
  EXPECT_EQ(gone, (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(b.batch.context_tokens(), 2U * 11U);
  expired.clear();
  b.batch.expire(Seconds{4.0}, expired);
  EXPECT_EQ(expired.size(), 2U);
}

TEST(Batch, HandsEverythingOverInBatchOrder) {
  SteppedBatch b(tables_accepting({0.0}));
  for (std::uint64_t r = 0; r < 5; ++r) b.batch.join(sequence_of(r, 50));
  b.step();
  std::vector<Sequence> all;
  b.batch.take_all(all);
  ASSERT_EQ(all.size(), 5U);
  for (std::uint64_t r = 0; r < 5; ++r) {
    EXPECT_EQ(all[r].request.value, r);
    EXPECT_EQ(all[r].emitted, 1U);
  }
  EXPECT_EQ(b.batch.size(), 0U);
  EXPECT_EQ(b.batch.context_tokens(), 0U);
}

// P(more than 0) = 0.6, P(more than 1) = 0.3: outcomes 0, 1, 2 have 0.4, 0.3, 0.3. Over n steps a
// frequency's standard deviation is sqrt(p (1 - p) / n); 4 of them are exceeded once in 16,000.
TEST(Batch, AcceptsWithTheThresholdsProbabilities) {
  SteppedBatch b(tables_accepting({0.6, 0.3}), 1000);
  for (std::uint64_t r = 0; r < 1000; ++r) b.batch.join(sequence_of(r, 1'000'000));
  constexpr double kSteps = 200.0 * 1000.0;
  for (int i = 0; i < 200; ++i) b.step();
  const double expected[] = {0.4, 0.3, 0.3};
  for (std::size_t a = 0; a < 3; ++a) {
    const double sigma = std::sqrt(expected[a] * (1.0 - expected[a]) / kSteps);
    const double seen = static_cast<double>(b.counts[0].steps_accepting[a]) / kSteps;
    EXPECT_NEAR(seen, expected[a], 4.0 * sigma) << a << " accepted";
  }
}

}  // namespace
}  // namespace specroute::sim
