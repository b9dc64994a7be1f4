// The samples under scenarios/traces/ are what `specroute make-trace` makes of these recipes.
// UPDATE_GOLDEN=1 rewrites them.
#include "sim/traces/make_trace.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "sim/digest/sha256.hpp"
#include "sim/traces/trace_store.hpp"
#include "tests/unit/sim_traces/trace_text.hpp"

namespace specroute::sim {
namespace {

struct Sample {
  const char* file;
  TraceRecipe recipe;
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> list = {{"azure-code-sample.csv",
                                            {.format = TraceFormat::azure,
                                             .requests = 400,
                                             .seed = 1,
                                             .rate_per_s = 10.0,
                                             .gap_cv = 6.0,
                                             .mean_prompt_tokens = 2048.0,
                                             .mean_output_tokens = 28.0}},
                                           {"azure-conversation-sample.csv",
                                            {.format = TraceFormat::azure,
                                             .requests = 600,
                                             .seed = 2,
                                             .rate_per_s = 5.5,
                                             .gap_cv = 1.09,
                                             .mean_prompt_tokens = 1150.0,
                                             .mean_output_tokens = 211.0}},
                                           {"mooncake-sample.jsonl",
                                            {.format = TraceFormat::mooncake,
                                             .requests = 300,
                                             .seed = 3,
                                             .rate_per_s = 6.0,
                                             .gap_cv = 1.0,
                                             .mean_prompt_tokens = 6144.0,
                                             .mean_output_tokens = 180.0}},
                                           {"burstgpt-sample.csv",
                                            {.format = TraceFormat::burstgpt,
                                             .requests = 400,
                                             .seed = 4,
                                             .rate_per_s = 4.0,
                                             .gap_cv = 3.0,
                                             .mean_prompt_tokens = 620.0,
                                             .mean_output_tokens = 240.0}},
                                           {"specroute-sample.csv",
                                            {.format = TraceFormat::specroute,
                                             .requests = 300,
                                             .seed = 5,
                                             .rate_per_s = 6.0,
                                             .gap_cv = 2.0,
                                             .mean_prompt_tokens = 1024.0,
                                             .mean_output_tokens = 120.0}}};
  return list;
}

std::string path_of(const Sample& sample) {
  return std::string(SPECROUTE_SOURCE_DIR) + "/scenarios/traces/" + sample.file;
}

TEST(MakeTrace, RemakesTheSamplesByteForByte) {
  for (const Sample& sample : samples()) {
    const std::string made = make_trace(sample.recipe);
    if (std::getenv("UPDATE_GOLDEN") != nullptr)
      std::ofstream(path_of(sample), std::ios::binary) << made;
    std::ifstream stream(path_of(sample), std::ios::binary);
    const std::string file{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_TRUE(file == made) << sample.file << " has " << file.size() << " bytes, " << made.size()
                              << " were made";
  }
}

TEST(MakeTrace, WritesWhatTheReadersRead) {
  TraceStore store;
  for (const Sample& sample : samples()) {
    const auto trace = store.read(path_of(sample), sample.recipe.format, {});
    ASSERT_TRUE(trace.ok()) << sample.file << ": " << to_string(trace.diagnostics().front());
    const TraceCounts& counts = trace.value()->counts;
    EXPECT_EQ(counts.rows, sample.recipe.requests) << sample.file;
    EXPECT_EQ(counts.kept + counts.zero_tokens, counts.rows) << sample.file;
    EXPECT_EQ(counts.zero_tokens > 0, sample.recipe.format == TraceFormat::burstgpt);
    const double rate = static_cast<double>(counts.kept) / trace.value()->arrival_s.back();
    EXPECT_NEAR(rate, sample.recipe.rate_per_s, 0.35 * sample.recipe.rate_per_s) << sample.file;
    // A file is read once.
    EXPECT_EQ(store.read(path_of(sample), sample.recipe.format, {}).value(), trace.value());
  }
}

TEST(MakeTrace, GivesConversationsThatShareTheirBeginnings) {
  const auto trace = traced(make_trace(samples()[2].recipe), TraceFormat::mooncake);
  ASSERT_TRUE(trace.ok());
  std::size_t shared = 0;
  std::size_t blocks = 0;
  for (std::size_t row = 0; row < trace.value().size(); ++row) {
    const auto prefix = trace.value().prefix(row);
    EXPECT_EQ(prefix.size(), (trace.value().prompt_tokens[row] + 511) / 512);
    for (const models::BlockHash hash : prefix) shared += hash < trace.value().prefix(0).back();
    blocks += prefix.size();
  }
  EXPECT_GT(blocks, shared);
  EXPECT_GE(shared, trace.value().size() / 2);  // the system prompt's block
}

// At the ends of the ranges that the command line allows, formats by turns: long traces, clumps
// whose gaps underflow, and gaps of months.
TEST(MakeTrace, GoesToTheEndOfItsRanges) {
  for (const auto format :
       {TraceFormat::azure, TraceFormat::mooncake, TraceFormat::burstgpt, TraceFormat::specroute})
    for (const double rate : {1e-3, 1e6})
      for (const double cv : {0.05, 50.0})
        for (const double longest : {0.0, 1.0}) {
          const TraceRecipe recipe{.format = format,
                                   .requests = 2'000,
                                   .rate_per_s = rate,
                                   .gap_cv = cv,
                                   .mean_prompt_tokens = 1.0 + longest * 16'383.0,
                                   .mean_output_tokens = 1.0 + longest * 1'023.0};
          const auto trace = traced(make_trace(recipe), format);
          ASSERT_TRUE(trace.ok()) << to_string(trace.diagnostics().front());
          EXPECT_EQ(trace.value().counts.rows, 2'000U);
        }
}

// 1.1 million rows at 0.001 a second are 35 years.
TEST(MakeTrace, OutlastsThirtyYears) {
  const auto trace = traced(make_trace({.format = TraceFormat::burstgpt,
                                        .requests = 1'100'000,
                                        .rate_per_s = 1e-3,
                                        .gap_cv = 1.0}),
                            TraceFormat::burstgpt);
  ASSERT_TRUE(trace.ok());
  EXPECT_NEAR(trace.value().arrival_s.back(), 1.1e9, 0.01e9);
}

TEST(MakeTrace, FollowsItsSeed) {
  TraceRecipe recipe{.format = TraceFormat::specroute, .requests = 50};
  const std::string first = make_trace(recipe);
  EXPECT_EQ(make_trace(recipe), first);
  recipe.seed = 2;
  EXPECT_NE(make_trace(recipe), first);
}

}  // namespace
}  // namespace specroute::sim
