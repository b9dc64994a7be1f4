// Differences of counters, by hand.
#include "sim/replay/engine_windows.hpp"

#include <gmock/gmock.h>

#include "tests/unit/sim_replay/replay_text.hpp"

namespace specroute::sim {
namespace {

using testing::ElementsAre;

/// Windows of a text, and what was counted on the way.
struct Counted {
  std::vector<EngineWindow> windows;
  ScrapeCounts counts;
};

Counted counted(const std::string& text, TelemetryFormat format = TelemetryFormat::prometheus,
                const FileSettings& settings = {}) {
  Counted out;
  out.windows = engine_windows(telemetry_of(text, format, settings), out.counts);
  return out;
}

TEST(EngineWindows, AreDifferencesOfNeighbouringScrapes) {
  const auto [windows, counts] =
      counted(scrape(100, 10, 20, 9) + scrape(115, 16, 32, 14) + scrape(130, 16, 32, 14));
  ASSERT_EQ(windows.size(), 2U);
  EXPECT_EQ(windows[0].from, 100 * kSecond);
  EXPECT_EQ(windows[0].to, 115 * kSecond);
  EXPECT_EQ(windows[0].steps, 6U);
  EXPECT_EQ(windows[0].drafted, 12U);
  EXPECT_EQ(windows[0].accepted, 5U);
  EXPECT_EQ(windows[1].drafted, 0U) << "nothing came between the second and the third";
  EXPECT_EQ(counts.scrapes, 3U);
}

// llama.cpp has no counter of a position before the first request that reaches it.
TEST(EngineWindows, TakeAPositionThatAppearsFromZero) {
  const std::string position =
      "vllm:spec_decode_num_accepted_tokens_per_pos_total{job=\"vllm\",position=";
  const auto [windows, counts] =
      counted(scrape(100, 10, 20, 9) + position + "\"0\"} 6\n" + scrape(115, 16, 32, 14) +
              position + "\"0\"} 9\n" + position + "\"1\"} 2\n");
  ASSERT_EQ(windows.size(), 1U);
  EXPECT_THAT(windows[0].accepted_at, ElementsAre(3U, 2U));
}

/// A scrape whose counters are those of two data-parallel ranks, the second where it is there.
std::string scrape_of_ranks(std::uint64_t second, int first, int other) {
  const std::string both = "job=\"vllm\",dp_rank=";
  std::string text = scrape(second, first, 2 * first, first, both + "\"0\"");
  if (other >= 0) text += scrape(second, other, 2 * other, other, both + "\"1\"");
  return text;
}

TEST(EngineWindows, GoOnFromTheLastValueOfASeriesThatWasAbsent) {
  const auto [windows, counts] =
      counted(scrape_of_ranks(100, 10, 1000) + scrape_of_ranks(115, 20, -1) +
              scrape_of_ranks(130, 30, 1007) + scrape_of_ranks(145, 40, 1008));
  ASSERT_EQ(windows.size(), 3U);
  EXPECT_EQ(windows[0].drafted, 20U);
  EXPECT_EQ(windows[1].drafted, 2 * (10U + 7U)) << "and not the 1007 drafts of its lifetime";
  EXPECT_EQ(windows[1].steps, 17U);
  EXPECT_EQ(windows[2].drafted, 2 * (10U + 1U));
}

TEST(EngineWindows, StartANewEpochWhereASeriesComesBackSmaller) {
  const auto [windows, counts] =
      counted(scrape_of_ranks(100, 10, 1000) + scrape_of_ranks(115, 20, -1) +
              scrape_of_ranks(130, 30, 7) + scrape_of_ranks(145, 40, 9));
  ASSERT_EQ(windows.size(), 3U);
  EXPECT_TRUE(windows[1].reset);
  EXPECT_EQ(windows[1].drafted, 0U);
  EXPECT_FALSE(windows[2].reset);
  EXPECT_EQ(windows[2].drafted, 2 * (10U + 2U));
}

// The rise over both windows, 12 steps, is not that of the second, which drafted 12 tokens.
TEST(EngineWindows, HaveNoStepsWhereTheirCounterWasAbsentBefore) {
  std::string without = scrape(115, 0, 32, 14);
  const std::size_t drafts = without.find("vllm:");
  without.erase(drafts, without.find('\n', drafts) + 1 - drafts);
  const auto [windows, counts] =
      counted(scrape(100, 10, 20, 9) + without + scrape(130, 22, 44, 20) + scrape(145, 24, 48, 21));
  ASSERT_EQ(windows.size(), 3U);
  EXPECT_EQ(windows[0].steps, 0U);
  EXPECT_EQ(windows[1].steps, 0U);
  EXPECT_EQ(windows[1].drafted, 12U);
  EXPECT_EQ(windows[2].steps, 2U);
}

TEST(EngineWindows, StartANewEpochWhereACounterFalls) {
  const auto [windows, counts] =
      counted(scrape(100, 1000, 2000, 900) + scrape(115, 6, 12, 5) + scrape(130, 9, 18, 8));
  ASSERT_EQ(windows.size(), 2U);
  EXPECT_TRUE(windows[0].reset);
  EXPECT_EQ(windows[0].drafted, 0U);
  EXPECT_FALSE(windows[1].reset);
  EXPECT_EQ(windows[1].drafted, 6U) << "from the restart on";
}

// A counter may have overtaken its old value by the next scrape; `_created` still tells.
TEST(EngineWindows, SeeARestartByTheDateOfTheCounterToo) {
  const std::string created = "vllm:spec_decode_num_draft_tokens_created{job=\"vllm\"} ";
  const auto [windows, counts] = counted(scrape(100, 10, 20, 9) + created + "1.79e+09\n" +
                                         scrape(115, 16, 32, 14) + created + "1.790000007e+09\n");
  ASSERT_EQ(windows.size(), 1U);
  EXPECT_TRUE(windows[0].reset);
}

TEST(EngineWindows, TakeARepeatedScrapeOnce) {
  const auto [windows, counts] = counted(scrape(100, 10, 20, 9) + scrape(115, 16, 32, 14) +
                                         scrape(115, 16, 32, 14) + scrape(115, 16, 32, 15));
  ASSERT_EQ(windows.size(), 1U);
  EXPECT_EQ(windows[0].accepted, 5U) << "the first of two that contradict each other holds";
  EXPECT_EQ(counts.repeated, 5U);
  EXPECT_EQ(counts.conflicting, 1U);
}

TEST(EngineWindows, SortScrapesThatAreOutOfOrder) {
  const auto [windows, counts] =
      counted(scrape(100, 10, 20, 9) + scrape(130, 22, 44, 20) + scrape(115, 16, 32, 14));
  ASSERT_EQ(windows.size(), 2U);
  EXPECT_EQ(windows[0].accepted, 5U);
  EXPECT_EQ(windows[1].accepted, 6U);
  EXPECT_FALSE(windows[0].reset || windows[1].reset);
  EXPECT_EQ(counts.out_of_order, 1U);
}

TEST(EngineWindows, BridgeAScrapeThatIsMissingOrIncomplete) {
  const auto [windows, counts] = counted(
      scrape(100, 10, 20, 9) + "# time 115\nvllm:spec_decode_num_drafts_total{job=\"vllm\"} 16\n" +
      scrape(160, 22, 44, 20));
  ASSERT_EQ(windows.size(), 1U);
  EXPECT_EQ(windows[0].from, 100 * kSecond);
  EXPECT_EQ(windows[0].drafted, 24U);
  EXPECT_EQ(counts.incomplete, 1U);
}

TEST(EngineWindows, LeaveOutWhatCannotBe) {
  const auto [windows, counts] = counted(scrape(100, 10, 20, 9) + scrape(115, 11, 22, 14));
  EXPECT_TRUE(windows.empty());
  EXPECT_EQ(counts.implausible, 1U) << "2 drafted, 5 accepted";
}

TEST(EngineWindows, AddSeriesOfOneEngineAndKeepEnginesApart) {
  const auto [windows, counts] = counted(scrape(100, 0, 0, 0, "job=\"vllm\",engine=\"0\"") +
                                         scrape(100, 0, 0, 0, "job=\"vllm\",engine=\"1\"") +
                                         scrape(110, 1, 2, 1, "engine=\"0\",job=\"vllm\"") +
                                         scrape(110, 10, 20, 15, "job=\"vllm\",engine=\"1\""));
  ASSERT_EQ(windows.size(), 2U);
  EXPECT_EQ(windows[0].drafted, 2U);
  EXPECT_EQ(windows[1].drafted, 20U);
  EXPECT_NE(windows[0].source, windows[1].source);
}

// 100 verification calls at length 2.5: 150 accepted tokens, once the mapping says over how many.
TEST(EngineWindows, TakeAGaugeOverTheCallsBetween) {
  const auto gauges = [](int second, int calls, const char* length) {
    return "# time " + std::to_string(second) + "\nsglang:spec_accept_length{tp_rank=\"0\"} " +
           length + "\nsglang:spec_num_draft_tokens 4\nsglang:spec_verify_calls_total " +
           std::to_string(calls) + "\n";
  };
  const auto [windows, counts] =
      counted(gauges(100, 1000, "2.0") + gauges(115, 1100, "2.5") + gauges(130, 5, "2.0"));
  ASSERT_EQ(windows.size(), 2U);
  EXPECT_EQ(windows[0].steps, 100U);
  EXPECT_DOUBLE_EQ(windows[0].accept_length.value(), 2.5);
  EXPECT_EQ(windows[0].tokens_per_step, 3U) << "num_draft_tokens count the root of the tree";
  EXPECT_TRUE(windows[1].reset);
}

TEST(EngineWindows, TakeAGaugeOverTokensWhereNoCallsAreCounted) {
  const auto [windows, counts] = counted(
      "# time 100\nsglang:spec_accept_length "
      "2.0\nsglang:generation_tokens_total{is_streaming=\"true\"} "
      "10\n"
      "# time 115\nsglang:spec_accept_length "
      "2.5\nsglang:generation_tokens_total{is_streaming=\"true\"} "
      "200\n"
      "sglang:generation_tokens_total{is_streaming=\"false\"} 60\n"
      "# time 130\nsglang:spec_accept_length 2.5\n");
  ASSERT_EQ(windows.size(), 1U);
  EXPECT_EQ(windows[0].steps, 100U) << "(190 + 60) / 2.5";
  EXPECT_EQ(counts.no_volume, 1U);
}

TEST(EngineWindows, OfALogBeginWhereTheLineBeforeEndedOrTheirOwnPeriodDoes) {
  FileSettings settings;
  settings.year = 2026;
  const auto line = [](const char* time, const char* rest) {
    return std::string("INFO 11-06 ") + time + " [m.py:1] SpecDecoding metrics: " + rest +
           "Accepted: 40 tokens, Drafted: 100 tokens\n";
  };
  const auto [windows, counts] =
      counted(line("08:00:10", "Drafted throughput: 10.00 tokens/s, ") + line("08:00:20", "") +
                  line("08:01:00", "Drafted throughput: 10.00 tokens/s, "),
              TelemetryFormat::vllm_log, settings);
  ASSERT_EQ(windows.size(), 3U);
  const auto length = [](const EngineWindow& window) {
    return (window.to - window.from) / kSecond;
  };
  EXPECT_EQ(length(windows[0]), 10U);
  EXPECT_EQ(length(windows[1]), 10U);
  EXPECT_EQ(length(windows[2]), 10U) << "and not the 40 s since the line before";
}

}  // namespace
}  // namespace specroute::sim
