#include "tests/unit/sim_telemetry/telemetry_text.hpp"

namespace specroute::sim {
namespace {

Telemetry read_sglang(const std::string& text, const FileSettings& settings = {}) {
  return read_as(TelemetryFormat::sglang_log, text, settings);
}

const std::string kBatch =
    "Decode batch. #running-req: 3, #token: 186, token usage: 0.00, accept len: 1.95, accept rate: "
    "0.49, cuda graph: True, gen throughput (token/s): 178.86, #queue-req: 0, \n";

TEST(SglangLog, TakesRunningRequestsTimesTheIntervalAsSteps) {
  const auto told = read_sglang("[2025-10-22 10:27:57 TP0] " + kBatch);
  ASSERT_EQ(told.logged.size(), 1U);
  const LoggedCounts& line = told.logged[0];
  EXPECT_EQ(line.at, parse_date("2025-10-22T10:27:57Z"));
  EXPECT_EQ(line.steps, 120U) << "3 requests over 40 steps";
  EXPECT_DOUBLE_EQ(line.accept_length.value(), 1.95);
  EXPECT_DOUBLE_EQ(line.accept_rate.value(), 0.49);
  EXPECT_EQ(line.drafted, 0U) << "for the mapping to say";
}

TEST(SglangLog, TakesIntervalAndZoneOfTheMapping) {
  FileSettings settings;
  settings.decode_log_interval = 10;
  settings.utc_offset_s = -1800;
  const auto told = read_sglang("[2025-10-22 10:27:57] " + kBatch, settings);
  ASSERT_EQ(told.logged.size(), 1U);
  EXPECT_EQ(told.logged[0].steps, 30U);
  EXPECT_EQ(told.logged[0].at, parse_date("2025-10-22T10:57:57Z"));
}

TEST(SglangLog, KeepsDataParallelRanksApartAndTakesRankZeroOfTheOthers) {
  const auto told =
      read_sglang("[2025-05-31 18:31:21 DP0 TP0] " + kBatch + "[2025-05-31 18:31:21 DP6 TP6] " +
                  kBatch + "[2025-05-31 18:31:21 TP1] " + kBatch);
  ASSERT_EQ(told.logged.size(), 2U);
  EXPECT_EQ(told.sources[told.logged[0].source].at("dp_rank"), "0");
  EXPECT_EQ(told.sources[told.logged[1].source].at("dp_rank"), "6");
  EXPECT_EQ(told.files[0].repeated, 1U);
}

TEST(SglangLog, ReadsLinesWithoutARateAndPassesOverThoseWithoutSpeculation) {
  const auto told = read_sglang(
      "[2025-05-31 18:31:21 TP0] Decode batch. #running-req: 8, #token: 37217, token usage: 0.13, "
      "accept len: 2.90, cuda graph: True, gen throughput (token/s): 171.01, #queue-req: 0\n"
      "[2025-11-11 04:06:27] Decode batch, #running-req: 46, #token: 34901, token usage: 0.19, "
      "cuda "
      "graph: False, gen throughput (token/s): 1447.08, #queue-req: 0, \n");
  ASSERT_EQ(told.logged.size(), 1U);
  EXPECT_FALSE(told.logged[0].accept_rate);
  EXPECT_EQ(told.files[0].other, 1U);
}

TEST(SglangLog, MarksAStartAndCountsBadLines) {
  const auto told =
      read_sglang("[2025-10-22 10:00:00] " + kBatch +
                  "[2025-10-22 10:05:00] server_args=ServerArgs(model_path='m')\n" +
                  "[2025-10-22 10:06:00 TP0] " + kBatch +
                  "[2025-10-22 10:07:00 TP0] Decode batch. #running-req: 3, accept len: nan,\n");
  ASSERT_EQ(told.logged.size(), 2U);
  EXPECT_EQ(told.logged[1].restarted_at, parse_date("2025-10-22T10:05:00Z"));
  EXPECT_EQ(told.files[0].bad, 1U);
  EXPECT_EQ(read_sglang("Decode batch. #running-req: 3, accept len: 2.0\n").files[0].bad, 1U);
}

}  // namespace
}  // namespace specroute::sim
