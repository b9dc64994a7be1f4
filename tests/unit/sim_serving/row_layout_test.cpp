#include "sim/serving/row_layout.hpp"

#include <set>

#include <gtest/gtest.h>

#include "sim/serving/draft_shapes.hpp"
#include "tests/unit/sim_serving/batch_fixture.hpp"

namespace specroute::sim {
namespace {

TEST(RowLayout, IsTwoRowsAKindWhereNothingElseIsTold) {
  const RowLayout layout;
  EXPECT_EQ(layout.row(3, 0, 0), normal_row(3));
  EXPECT_EQ(layout.kind_of(7), 3U);
  EXPECT_EQ(layout.in_range(7, 0), 7U);
}

TEST(RowLayout, GivesEveryCombinationARowOfItsOwn) {
  const RowLayout layout{.quantiles = 3, .edges = {100, 200}};
  std::set<TrafficRow> rows;
  for (std::uint32_t kind = 0; kind < 2; ++kind)
    for (std::uint32_t quantile = 0; quantile < 3; ++quantile)
      for (std::uint32_t range = 0; range < 3; ++range) {
        const TrafficRow row = layout.row(kind, quantile, range);
        rows.insert(row);
        EXPECT_FALSE(is_looping(row));
        EXPECT_EQ(layout.kind_of(row), kind);
        EXPECT_EQ(layout.in_range(row, 1), layout.row(kind, quantile, 1));
        EXPECT_EQ(layout.in_range(row + 1, 2), layout.row(kind, quantile, 2) + 1);
      }
  EXPECT_EQ(rows.size(), 18U);
  EXPECT_EQ(*rows.rbegin(), 2 * layout.rows_per_kind() - 2);
}

TEST(RowLayout, PutsAnEdgeIntoTheRangeThatItBegins) {
  const RowLayout layout{.quantiles = 1, .edges = {100, 200}};
  EXPECT_EQ(layout.range_of(99), 0U);
  EXPECT_EQ(layout.range_of(100), 1U);
  EXPECT_EQ(layout.range_of(200), 2U);
  EXPECT_EQ(layout.end_of(0), 100U);
  EXPECT_EQ(layout.end_of(2), std::numeric_limits<std::uint32_t>::max());
}

// 16 equal ratios from 2,000 to 20,000: each range is a factor 10^(1/16) = 1.155 wide.
TEST(RowLayout, DividesTheCurvesOfAScenarioInEqualRatios) {
  AcceptancePair pair{"t", "d", "prose", 1.0, 3.5, 0.3, {}};
  EXPECT_EQ(row_layout({pair}).rows_per_kind(), 2U);
  pair.context_decay =
      models::ContextDecay{models::ContextDecay::Of::alpha, {{2000.0, 1.0}, {20000.0, 0.5}}};
  pair.correlation = 0.1;
  const RowLayout layout = row_layout({pair});
  EXPECT_EQ(layout.quantiles, 16U);
  ASSERT_EQ(layout.edges.size(), 17U);
  EXPECT_EQ(layout.edges.front(), 2000U);
  EXPECT_EQ(layout.edges[8], 6325U);  // sqrt(10) x 2,000
  EXPECT_EQ(layout.edges.back(), 20000U);
  EXPECT_EQ(representative_context(layout, 0), 2000.0);
  EXPECT_EQ(representative_context(layout, 17), 20000.0);
  EXPECT_NEAR(representative_context(layout, 1), 2000.0 * 1.0746, 1.0);
}

// A prompt of 10 and an edge at 13: three steps of one token each come from the first row, then
// all from the second, whose drafts are always accepted.
TEST(BatchRows, ChangeWhereTheContextPassesAnEdge) {
  const StepRow never = row_accepting({0.0});
  const StepRow always = row_accepting({1.0});
  StepTables tables{.draft_tokens = 1, .rows = {never, never, always, always}};
  std::vector<RowCounts> counts(4);
  Batch batch(4, {}, {.quantiles = 1, .edges = {13}});
  batch.join(sequence_of(1, 9));
  std::vector<Sequence> finished;
  std::vector<std::uint64_t> emitted;
  while (batch.size() > 0)
    emitted.push_back(batch.advance(
        {.tables = tables, .key = {1, 2}, .pairing = PairingId{0}, .counts = counts}, finished));
  EXPECT_EQ(emitted, (std::vector<std::uint64_t>{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(counts[0].steps_accepting[0], 3U);
  EXPECT_EQ(counts[2].steps_accepting[1], 3U);
  ASSERT_EQ(finished.size(), 1U);
  EXPECT_EQ(finished[0].row, 2U);
}

TEST(BatchRows, OfASequenceThatJoinsLateAreThoseOfItsContext) {
  const StepRow never = row_accepting({0.0});
  const StepRow always = row_accepting({1.0});
  StepTables tables{.draft_tokens = 1, .rows = {never, never, always, always}};
  std::vector<RowCounts> counts(4);
  Batch batch(4, {}, {.quantiles = 1, .edges = {13}});
  Sequence late = sequence_of(1, 9);
  late.emitted = 5;
  batch.join(late);
  std::vector<Sequence> finished;
  EXPECT_EQ(
      batch.advance({.tables = tables, .key = {1, 2}, .pairing = PairingId{0}, .counts = counts},
                    finished),
      2U);
}

// A loop that begins keeps the range, and the range still changes afterwards.
TEST(BatchRows, KeepTheirLoopAcrossAnEdge) {
  StepRow looping = row_accepting({0.0});
  StepRow entering = looping;
  entering.loop.fill(models::threshold_from_probability(1.0));
  StepTables tables{.draft_tokens = 1, .rows = {entering, looping, looping, looping}};
  std::vector<RowCounts> counts(4);
  Batch batch(4, {}, {.quantiles = 1, .edges = {13}});
  Sequence sequence = sequence_of(1, 2);
  sequence.limit = 6;
  batch.join(sequence);
  std::vector<Sequence> finished;
  while (batch.size() > 0)
    batch.advance({.tables = tables, .key = {1, 2}, .pairing = PairingId{0}, .counts = counts},
                  finished);
  EXPECT_EQ(counts[0].steps_accepting[0], 1U);
  EXPECT_EQ(counts[1].steps_accepting[0], 2U);
  EXPECT_EQ(counts[3].steps_accepting[0], 3U);
  EXPECT_EQ(finished[0].emitted, 6U);
}

}  // namespace
}  // namespace specroute::sim
