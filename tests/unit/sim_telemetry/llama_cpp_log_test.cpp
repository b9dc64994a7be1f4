#include <gmock/gmock.h>

#include "tests/unit/sim_telemetry/telemetry_text.hpp"

namespace specroute::sim {
namespace {

using testing::ElementsAre;

FileSettings started() {
  FileSettings settings;
  settings.starts_at = 1'000'000'000ULL * kNanosecondsPerSecond;
  return settings;
}

Telemetry read_llama_cpp(const std::string& text, const FileSettings& settings = started()) {
  return read_as(TelemetryFormat::llama_cpp_log, text, settings);
}

const std::string kStatistics =
    "statistics     draft-eagle3: #calls(b,g,a) =    1     87     87, #gen drafts =     87, #acc "
    "drafts =    70, #gen tokens =    259, #acc tokens =   167, #mean acc len = 2.92, #acc "
    "rate/pos = "
    "(0.805, 0.632, 0.483), dur(b,g,a) = 0.005, 325.555, 0.114 ms\n";

// 167 accepted at mean length 2.92 are 87 steps.
TEST(LlamaCppLog, ReadsOneRequestAndPassesOverTheSumsThatRepeatIt) {
  const auto told = read_llama_cpp(
      "1.06.896.015 I slot print_timing: id  1 | task 0 | draft acceptance = 0.64479 (  167 "
      "accepted "
      "/   259 generated), mean acceptance length =  2.92, acceptance rate per position = (0.805, "
      "0.632, 0.483)\n"
      "1.06.896.057 I " +
      kStatistics);
  ASSERT_EQ(told.logged.size(), 1U);
  const LoggedCounts& line = told.logged[0];
  EXPECT_EQ(line.at, 1'000'000'066'896'015'000ULL) << "1 min 6.896015 s after the start";
  EXPECT_EQ(line.accepted, 167U);
  EXPECT_EQ(line.drafted, 259U);
  EXPECT_EQ(line.steps, 87U);
  EXPECT_EQ(line.completions, 1U);
  EXPECT_THAT(line.accepted_at, ElementsAre(70U, 55U, 42U));
  EXPECT_TRUE(told.scraped.empty());
  EXPECT_EQ(told.files[0].repeated, 1U);
}

TEST(LlamaCppLog, ReadsOlderAndNewerWordsAndDatesOfTheLineAbove) {
  const auto told = read_llama_cpp(
      "[53409] 4.48.313.649 I slot print_timing: id  0 | task 689 | \n"
      "[53409] draft acceptance rate = 0.81944 (  118 accepted /   144 generated)\n"
      "4.58.584.379 I slot print_timing: id  0 | task 4827 | draft acceptance = 0.98444 (  886 "
      "accepted /   900 generated), mean len =  4.94\n");
  ASSERT_EQ(told.logged.size(), 2U);
  EXPECT_EQ(told.logged[0].at, 1'000'000'288'313'649'000ULL);
  EXPECT_EQ(told.logged[0].drafted, 144U);
  EXPECT_EQ(told.logged[0].steps, 0U);
  EXPECT_EQ(told.sources[told.logged[0].source].at("process"), "53409");
  EXPECT_EQ(told.logged[1].steps, 225U) << "886 / 3.94";
}

TEST(LlamaCppLog, TakesTheSumsWhereNoRequestIsTold) {
  const auto told = read_llama_cpp(
      "0.01.000.000 I " + kStatistics +
      "0.02.000.000 I statistics ngram-mod: #calls(b,g,a) = 10 730 3, #gen drafts = "
      "3, #acc drafts = 3, #gen tokens = 192, #acc tokens = 43, dur(b,g,a) = 0 ms\n");
  EXPECT_TRUE(told.logged.empty());
  EXPECT_EQ(value_at(told, Metric::drafts, 1'000'000'001), 87.0);
  EXPECT_EQ(value_at(told, Metric::draft_tokens, 1'000'000'001), 259.0);
  EXPECT_EQ(value_at(told, Metric::accepted_tokens, 1'000'000'002), 43.0);
  EXPECT_EQ(told.series, (std::vector<std::string>{"draft-eagle3", "ngram-mod"}));
}

TEST(LlamaCppLog, BeginsAgainWhereItsClockDoes) {
  const std::string end =
      " I slot print_timing: id  1 | task 0 | draft acceptance = 0.5 (  1 accepted /   2 "
      "generated)\n";
  const auto told = read_llama_cpp("5.00.000.000" + end + "0.10.000.000" + end);
  ASSERT_EQ(told.logged.size(), 2U);
  EXPECT_EQ(told.logged[1].restarted_at, told.logged[0].at);
  EXPECT_EQ(told.logged[1].at, told.logged[0].at + 10 * kNanosecondsPerSecond);
}

TEST(LlamaCppLog, CountsLinesWithoutADateAndWithoutCounts) {
  const auto told = read_llama_cpp(
      "slot print_timing: | draft acceptance = 0.5 (  1 accepted /  2 generated)\n", {});
  EXPECT_EQ(told.files[0].bad, 1U);
  EXPECT_EQ(read_llama_cpp("0.01.000.000 I draft acceptance = 0.5 (  3 accepted /  2 generated)\n")
                .files[0]
                .bad,
            1U);
  EXPECT_EQ(read_llama_cpp("0.01.000.000 I draft acceptance = 0.5\n").files[0].bad, 1U);
}

}  // namespace
}  // namespace specroute::sim
