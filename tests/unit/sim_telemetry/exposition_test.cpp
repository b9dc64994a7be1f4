// Prometheus' text exposition, with the names of vLLM, SGLang and llama.cpp.
#include <gmock/gmock.h>

#include "sim/telemetry/exposition_line.hpp"
#include "sim/telemetry/metric_names.hpp"
#include "tests/unit/sim_telemetry/telemetry_text.hpp"

namespace specroute::sim {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

Telemetry exposition(const std::string& text, const FileSettings& settings = {}) {
  return read_as(TelemetryFormat::prometheus, text, settings);
}

TEST(Exposition, TakesTheDateOfTheLineAboveAsCurlLoopsWriteIt) {
  const auto told = exposition(
      "1000000000\n"
      "vllm:spec_decode_num_drafts_total{engine=\"0\"} 10.0\n"
      "# time 1000000010.5\n"
      "vllm:spec_decode_num_drafts_total{engine=\"0\"} 12\n"
      "2001-09-09T01:47:00Z\n"
      "vllm:spec_decode_num_drafts_total{engine=\"0\"} 13\n");
  ASSERT_EQ(told.scraped.size(), 3U);
  EXPECT_EQ(told.scraped[0].at, 1'000'000'000ULL * kNanosecondsPerSecond);
  EXPECT_EQ(told.scraped[1].at, 1'000'000'010'500'000'000ULL);
  EXPECT_EQ(told.scraped[2].at, 1'000'000'020ULL * kNanosecondsPerSecond);
  EXPECT_EQ(told.scraped[2].origin.item, 6U);
}

TEST(Exposition, TakesTheLinesOwnTimestampInMillisecondsOrSeconds) {
  const auto told = exposition(
      "# time 5\n"
      "vllm:spec_decode_num_drafts 1 1000000000123\n"
      "vllm:spec_decode_num_drafts 2 1000000001.5 # {trace_id=\"a\"} 1\n");
  ASSERT_EQ(told.scraped.size(), 2U);
  EXPECT_EQ(told.scraped[0].at, 1'000'000'000'123'000'000ULL);
  EXPECT_EQ(told.scraped[1].at, 1'000'000'001'500'000'000ULL);
}

TEST(Exposition, WithoutAnyDateIsBadAndCounted) {
  const auto told = exposition("vllm:spec_decode_num_drafts_total 1\n");
  EXPECT_TRUE(told.scraped.empty());
  ASSERT_EQ(told.files[0].bad, 1U);
  EXPECT_EQ(told.files[0].first_bad[0].expected, "a date, in the line, above it or in the mapping");
  FileSettings settings;
  settings.at = 7;
  EXPECT_EQ(exposition("vllm:spec_decode_num_drafts_total 1\n", settings).scraped.size(), 1U);
}

TEST(Exposition, KnowsEveryNameWithAndWithoutTotal) {
  for (const std::string engine : {"vllm:", "vllm_", "llamacpp:", "llamacpp_"})
    for (const std::string end : {"", "_total"}) {
      const auto metric = [&](const char* name) {
        const MetricName known = metric_name(std::string(engine).append(name).append(end));
        EXPECT_EQ(known.kind, MetricName::Kind::read) << engine << name << end;
        return known.metric;
      };
      EXPECT_EQ(metric("spec_decode_num_drafts"), Metric::drafts);
      EXPECT_EQ(metric("spec_decode_num_draft_tokens"), Metric::draft_tokens);
      EXPECT_EQ(metric("spec_decode_num_accepted_tokens"), Metric::accepted_tokens);
      EXPECT_EQ(metric("spec_decode_num_accepted_tokens_per_pos"), Metric::accepted_at);
    }
  EXPECT_EQ(metric_name("sglang:spec_verify_calls_total").metric, Metric::verify_calls);
  EXPECT_EQ(metric_name("sglang:spec_accept_length").metric, Metric::accept_length);
  EXPECT_EQ(metric_name("vllm:spec_decode_efficiency").kind, MetricName::Kind::derived);
  EXPECT_EQ(metric_name("vllm:num_requests_running").kind, MetricName::Kind::other);
}

TEST(Exposition, NamesTheNearestOfANameThatItDoesNotKnow) {
  const auto told = exposition("# time 9\nvllm:spec_decode_num_draft_token_total 5\n");
  EXPECT_EQ(told.files[0].other, 2U);
  ASSERT_EQ(told.files[0].unknown_names.size(), 1U);
  const auto& [name, unknown] = *told.files[0].unknown_names.begin();
  EXPECT_EQ(name, "vllm:spec_decode_num_draft_token_total");
  EXPECT_EQ(unknown.count, 1U);
  EXPECT_EQ(unknown.nearest, "vllm:spec_decode_num_draft_tokens");
}

TEST(Exposition, ReadsEscapesInLabelsAndExponentsInValues) {
  const auto told = exposition(
      "# time 9\nvllm:spec_decode_num_drafts_total{ model_name = \"a\\\"b\\\\c\\nz\" , "
      "engine=\"0\", } "
      "+1.2e+06\n");
  ASSERT_EQ(told.scraped.size(), 1U);
  EXPECT_EQ(told.scraped[0].value, 1'200'000.0);
  EXPECT_THAT(told.sources[0],
              UnorderedElementsAre(Pair("engine", "0"), Pair("model_name", "a\"b\\c\nz"),
                                   Pair("instance", "f")));
}

TEST(Exposition, IsOneEngineWhateverTheOrderOfItsLabels) {
  const auto told = exposition(
      "# time 9\n"
      "vllm:spec_decode_num_drafts_total{engine=\"0\",model_name=\"m\"} 1\n"
      "vllm:spec_decode_num_draft_tokens_total{model_name=\"m\",engine=\"0\"} 2\n"
      "vllm:spec_decode_num_drafts_total{engine=\"1\",model_name=\"m\"} 3\n");
  ASSERT_EQ(told.sources.size(), 2U);
  EXPECT_EQ(told.scraped[0].source, told.scraped[1].source);
  EXPECT_NE(told.scraped[0].source, told.scraped[2].source);
}

TEST(Exposition, KeepsPositionsApartAndCountsBadOnes) {
  const auto told = exposition(
      "# time 9\n"
      "vllm:spec_decode_num_accepted_tokens_per_pos_total{position=\"0\"} 7\n"
      "vllm:spec_decode_num_accepted_tokens_per_pos_total{position=\"1\"} 4\n"
      "vllm:spec_decode_num_accepted_tokens_per_pos_total{position=\"last\"} 4\n"
      "vllm:spec_decode_num_accepted_tokens_per_pos_total 4\n");
  EXPECT_EQ(value_at(told, Metric::accepted_at, 9, 0), 7.0);
  EXPECT_EQ(value_at(told, Metric::accepted_at, 9, 1), 4.0);
  EXPECT_EQ(told.files[0].bad, 2U);
}

TEST(Exposition, CountsWhatIsNoCount) {
  const auto told = exposition(
      "# time 9\n"
      "vllm:spec_decode_num_drafts_total NaN\n"
      "vllm:spec_decode_num_drafts_total +Inf\n"
      "vllm:spec_decode_num_drafts_total -1\n"
      "vllm:spec_decode_num_drafts_total 1.5\n"
      "vllm:spec_decode_num_drafts_total 1e300\n"
      "vllm:spec_decode_num_drafts_total 12x\n"
      "vllm:spec_decode_num_drafts_total\n"
      "vllm:spec_decode_num_drafts_total{engine=\"0} 1\n"
      "vllm:spec_decode_num_drafts_total{engine=\"0\",engine=\"1\"} 1\n"
      "vllm:spec_decode_num_drafts_total 1 2 3\n"
      "HTTP/1.1 200 OK\n"
      "200\n"
      "# time half past nine\n");
  EXPECT_TRUE(told.scraped.empty());
  const FileReport& file = told.files[0];
  EXPECT_EQ(file.bad, 13U);
  ASSERT_EQ(file.first_bad.size(), kShownBadLines);
  EXPECT_EQ(file.first_bad[0].origin.item, 2U);
  EXPECT_EQ(file.first_bad[0].expected, "a count from 0 to 2^53");
  EXPECT_EQ(file.first_bad[0].found, "\"NaN\"");
  EXPECT_EQ(file.first_bad[3].expected, "a whole count, not a rate");
}

TEST(Exposition, DoesNotCountWhatEveryRankRepeats) {
  const auto told = exposition(
      "# time 9\n"
      "sglang:spec_accept_length{model_name=\"m\",tp_rank=\"0\"} 2.5\n"
      "sglang:spec_accept_length{model_name=\"m\",tp_rank=\"1\"} 2.5\n"
      "sglang:spec_verify_calls_total{model_name=\"m\"} 50\n"
      "vllm:spec_decode_draft_acceptance_rate 0.5\n");
  EXPECT_EQ(told.scraped.size(), 2U);
  EXPECT_EQ(told.files[0].repeated, 2U);
  EXPECT_EQ(told.sources.size(), 1U) << "rank and engine are no part of whose numbers they are";
}

TEST(Exposition, TakesMappedLabelsOnlyWhereTheTextHasNone) {
  FileSettings settings;
  settings.labels = {{"instance", "mapped"}, {"engine", "9"}};
  const auto told = exposition("# time 9\nvllm:spec_decode_num_drafts{engine=\"0\"} 1\n", settings);
  EXPECT_THAT(told.sources,
              ElementsAre(UnorderedElementsAre(Pair("engine", "0"), Pair("instance", "mapped"))));
}

TEST(Exposition, IsToldByItsFirstLineOfSpeculation) {
  EXPECT_EQ(telling_format("# HELP a b\n"), TelemetryFormat::prometheus);
  EXPECT_EQ(telling_format("1754395200\nvllm:spec_decode_num_drafts 1\n"),
            TelemetryFormat::prometheus);
  EXPECT_EQ(telling_format(" {\"status\":\"success\",\"data\":{\"resultType\":\"matrix\"}}"),
            TelemetryFormat::query_range);
  EXPECT_EQ(telling_format("{\"type\": \"window\"}\n"), TelemetryFormat::events);
  EXPECT_EQ(telling_format("hello\n"), std::nullopt);
  Telemetry telemetry;
  const auto faults = read_telemetry({"f", "hello\n", std::nullopt, {}}, telemetry);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(to_string(faults[0]),
            "f: expected metrics or a log with lines about speculation, found none that are known");
}

}  // namespace
}  // namespace specroute::sim
