// vLLM's lines as its versions printed them.
#include <gmock/gmock.h>

#include "tests/unit/sim_telemetry/telemetry_text.hpp"

namespace specroute::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

FileSettings in_2025() {
  FileSettings settings;
  settings.year = 2025;
  return settings;
}

Telemetry read_vllm(const std::string& text, const FileSettings& settings = in_2025()) {
  return read_as(TelemetryFormat::vllm_log, text, settings);
}

UnixTime date(const char* text) {
  return parse_date(text).value();
}

TEST(VllmLog, ReadsCountsAndPeriodOfV1) {
  const auto told = read_vllm(
      "(APIServer pid=1) INFO 08-05 12:00:10 [metrics.py:96] SpecDecoding metrics: Mean acceptance "
      "length: 1.81, Accepted throughput: 7.00 tokens/s, Drafted throughput: 8.60 tokens/s, "
      "Accepted: 70 tokens, Drafted: 86 tokens, Per-position acceptance rate: 0.814, Avg Draft "
      "acceptance rate: 81.4%\n");
  ASSERT_EQ(told.logged.size(), 1U);
  const LoggedCounts& line = told.logged[0];
  EXPECT_EQ(line.at, date("2025-08-05T12:00:10Z"));
  EXPECT_EQ(line.from, date("2025-08-05T12:00:00Z")) << "86 tokens at 8.60 tokens/s are 10 s";
  EXPECT_EQ(line.accepted, 70U);
  EXPECT_EQ(line.drafted, 86U);
  EXPECT_EQ(line.steps, 86U) << "one position: 86 drafts of one token, 1 + 70/86 = 1.81";
  EXPECT_THAT(line.accepted_at, ElementsAre(70U));
  EXPECT_FALSE(line.accept_length) << "counts, not a ratio";
}

// drafted / positions = 59 steps would make the length 1 + 262/59 = 5.44, as printed.
TEST(VllmLog, ReadsTheOrderOfSeptember2025) {
  const auto told = read_vllm(
      "INFO 09-09 11:51:35 [metrics.py:96] SpecDecoding metrics: Draft acceptance rate: 88.8%, "
      "Mean "
      "acceptance length: 5.44, Accepted throughput: 4.37 tokens/s, Drafted throughput: 4.92 "
      "tokens/s, Accepted: 262 tokens, Drafted: 295 tokens, Per-position acceptance rate: 0.983, "
      "0.949, 0.915, 0.881, 0.712\n");
  ASSERT_EQ(told.logged.size(), 1U);
  EXPECT_EQ(told.logged[0].steps, 59U);
  EXPECT_THAT(told.logged[0].accepted_at, ElementsAre(58U, 56U, 54U, 52U, 42U));
}

// 60 accepted at length 2.50 are 40 steps, not 90 / 3 = 30: some drafts were shorter than three.
TEST(VllmLog, TakesStepsFromTheLengthWhereDraftsAreUneven) {
  const auto told = read_vllm(
      "INFO 09-09 11:51:35 [metrics.py:96] SpecDecoding metrics: Mean acceptance length: 2.50, "
      "Accepted: 60 tokens, Drafted: 90 tokens, Per-position acceptance rate: 0.800, 0.500, "
      "0.200\n");
  ASSERT_EQ(told.logged.size(), 1U);
  EXPECT_EQ(told.logged[0].steps, 40U);
  EXPECT_THAT(told.logged[0].accepted_at, ElementsAre(32U, 20U, 8U));
  EXPECT_EQ(told.logged[0].from, 0U);
}

TEST(VllmLog, ReadsBothOlderFormsOfV1) {
  const auto told = read_vllm(
      "INFO 04-01 10:00:00 [metrics.py:58] Speculative metrics: Draft acceptance rate: 1.000, "
      "Number "
      "of accepted tokens: 66, Number of draft tokens: 66, \n"
      "INFO 04-01 10:00:10 [metrics.py:58] SpecDecoding metrics: Draft acceptance rate: 50.0%, "
      "Accepted: 33 tokens, Drafted: 66 tokens\n");
  ASSERT_EQ(told.logged.size(), 2U);
  EXPECT_EQ(told.logged[0].accepted, 66U);
  EXPECT_EQ(told.logged[1].accepted, 33U);
  EXPECT_EQ(told.logged[1].drafted, 66U);
  EXPECT_EQ(told.logged[1].steps, 0U) << "not told";
}

// 13311 draft tokens by 3 are 4437 steps.
TEST(VllmLog, TakesV0sNumbersAsSumsSinceItsStart) {
  const auto told = read_vllm(
      "INFO 10-16 19:05:47 metrics.py:367] Speculative metrics: Draft acceptance rate: 0.642, "
      "System "
      "efficiency: 0.598, Number of speculative tokens: 3, Number of accepted tokens: 8547, Number "
      "of draft tokens: 13311, Number of emitted tokens: 10616.\n");
  EXPECT_THAT(told.logged, IsEmpty());
  const auto second = date("2025-10-16T19:05:47Z") / kNanosecondsPerSecond;
  EXPECT_EQ(value_at(told, Metric::drafts, second), 4437.0);
  EXPECT_EQ(value_at(told, Metric::draft_tokens, second), 13311.0);
  EXPECT_EQ(value_at(told, Metric::accepted_tokens, second), 8547.0);
}

TEST(VllmLog, LabelsEnginesAsTheirMetricsDo) {
  const auto told = read_vllm(
      "INFO 04-01 10:00:00 [m.py:1] Engine 003: SpecDecoding metrics: Accepted: 1 tokens, "
      "Drafted: 2 "
      "tokens\n"
      "INFO 04-01 10:00:00 [m.py:1] Engine 000: SpecDecoding metrics: Accepted: 1 tokens, "
      "Drafted: 2 "
      "tokens\n");
  ASSERT_EQ(told.sources.size(), 2U);
  EXPECT_EQ(told.sources[0].at("engine"), "3");
  EXPECT_EQ(told.sources[1].at("engine"), "0");
}

TEST(VllmLog, TakesTheYearAndZoneOfTheMappingAndPassesNewYear) {
  FileSettings settings = in_2025();
  settings.utc_offset_s = 3600;
  const std::string end = " [m.py:1] SpecDecoding metrics: Accepted: 1 tokens, Drafted: 2 tokens\n";
  const auto told = read_vllm("INFO 12-31 23:59:55" + end + "INFO 01-01 00:00:05" + end, settings);
  ASSERT_EQ(told.logged.size(), 2U);
  EXPECT_EQ(told.logged[0].at, date("2025-12-31T22:59:55Z"));
  EXPECT_EQ(told.logged[1].at, date("2025-12-31T23:00:05Z"));
}

TEST(VllmLog, PutsALateLineOfDecemberIntoTheYearThatEnded) {
  const std::string end = " [m.py:1] SpecDecoding metrics: Accepted: 1 tokens, Drafted: 2 tokens\n";
  const auto told =
      read_vllm("INFO 12-31 23:59:55" + end + "INFO 01-01 00:00:05" + end + "INFO 12-31 23:59:58" +
                end + "INFO 01-01 00:00:15" + end + "INFO 02-29 00:00:00" + end);
  ASSERT_EQ(told.logged.size(), 5U);
  EXPECT_EQ(told.logged[1].at, date("2026-01-01T00:00:05Z"));
  EXPECT_EQ(told.logged[2].at, date("2025-12-31T23:59:58Z"));
  EXPECT_EQ(told.logged[3].at, date("2026-01-01T00:00:15Z"));
  EXPECT_EQ(told.logged[4].at, told.logged[3].at) << "2026 has no such day: the date above holds";
}

TEST(VllmLog, PutsALateLineBeforeTheStatedYearToo) {
  const std::string end = " [m.py:1] SpecDecoding metrics: Accepted: 1 tokens, Drafted: 2 tokens\n";
  const auto told = read_vllm("INFO 01-01 00:00:05" + end + "INFO 12-31 23:59:58" + end);
  ASSERT_EQ(told.logged.size(), 2U);
  EXPECT_EQ(told.logged[0].at, date("2025-01-01T00:00:05Z")) << "the year that was stated";
  EXPECT_EQ(told.logged[1].at, date("2024-12-31T23:59:58Z"));
}

TEST(VllmLog, PrefersTheDateThatTheContainersRuntimePutInFront) {
  const auto told = read_vllm(
      "2025-08-05T10:00:00.5Z \x1b[36m(APIServer pid=1)\x1b[0;0m INFO 08-05 12:00:00 [m.py:1] "
      "SpecDecoding metrics: Accepted: 1 tokens, Drafted: 2 tokens\n",
      {});
  ASSERT_EQ(told.logged.size(), 1U);
  EXPECT_EQ(told.logged[0].at, date("2025-08-05T10:00:00.5Z"));
}

TEST(VllmLog, MarksTheFirstLineAfterAStart) {
  const std::string end = " [m.py:1] SpecDecoding metrics: Accepted: 1 tokens, Drafted: 2 tokens\n";
  const auto told =
      read_vllm("INFO 04-01 10:00:00" + end +
                "INFO 04-01 10:05:00 [api_server.py:1772] vLLM API server version 0.11.0\n" +
                "INFO 04-01 10:05:10" + end + "INFO 04-01 10:05:20" + end);
  ASSERT_EQ(told.logged.size(), 3U);
  EXPECT_EQ(told.logged[0].restarted_at, 0U);
  EXPECT_EQ(told.logged[1].restarted_at, date("2025-04-01T10:05:00Z"));
  EXPECT_EQ(told.logged[2].restarted_at, 0U);
}

TEST(VllmLog, CountsCutLinesAndThoseWithoutADate) {
  const auto told = read_vllm(
      "SpecDecoding metrics: Accepted: 1 tokens, Drafted: 2 tokens\n"
      "INFO 04-01 10:00:00 [m.py:1] SpecDecoding metrics: Mean acceptance length: 1.8\n"
      "INFO 04-01 10:00:00 [m.py:1] SpecDecoding metrics: Accepted: 3 tokens, Drafted: 2 tokens\n"
      "INFO 04-01 10:00:00 [m.py:1] SpecDecoding metrics: Accepted: -3 tokens, Drafted: 2 tokens\n"
      "INFO 04-01 10:00:00 [m.py:1] Started\n");
  EXPECT_THAT(told.logged, IsEmpty());
  EXPECT_EQ(told.files[0].bad, 4U);
  EXPECT_EQ(told.files[0].other, 1U);
  EXPECT_EQ(told.files[0].first_bad[0].expected, "a date (the mapping states the year of vLLM's)");
}

}  // namespace
}  // namespace specroute::sim
