// The published traces themselves, where they are at hand: what their publishers say of them.
#include <filesystem>

#include <gtest/gtest.h>

#include "sim/traces/trace_store.hpp"

namespace specroute::sim {
namespace {

namespace fs = std::filesystem;

const fs::path kTraces = fs::path(SPECROUTE_SOURCE_DIR) / "../shared/data/traces";

/// The trace, or nothing where the data are absent.
std::shared_ptr<const Trace> read(const char* file, TraceFormat format) {
  if (!fs::exists(kTraces / file)) return nullptr;
  const auto trace = TraceStore().read((kTraces / file).string(), format, {});
  EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : to_string(trace.diagnostics().front()));
  return trace.ok() ? trace.value() : nullptr;
}

double sum(const std::vector<std::uint32_t>& tokens) {
  double total = 0.0;
  for (const std::uint32_t each : tokens) total += each;
  return total;
}

TEST(PublishedTraces, OfAzureAreReadWhole) {
  const auto conversations = read("AzureLLMInferenceTrace_conv.csv", TraceFormat::azure);
  if (conversations == nullptr) GTEST_SKIP() << "no data: " << kTraces << " is absent";
  EXPECT_EQ(conversations->size(), 19'366U);
  EXPECT_NEAR(sum(conversations->output_tokens), 4.09e6, 0.01e6);
  EXPECT_NEAR(19'366 / conversations->arrival_s.back(), 5.53, 0.01);
  const auto code = read("AzureLLMInferenceTrace_code.csv", TraceFormat::azure);
  ASSERT_NE(code, nullptr);
  EXPECT_EQ(code->size(), 8'819U);
}

TEST(PublishedTraces, OfBurstGptHaveRowsWithoutTokens) {
  const auto trace = read("BurstGPT_1_first400.csv", TraceFormat::burstgpt);
  if (trace == nullptr) GTEST_SKIP() << "no data: " << kTraces << " is absent";
  EXPECT_EQ(trace->counts.rows, 400U);
  EXPECT_EQ(trace->counts.zero_tokens, 17U);
}

TEST(PublishedTraces, OfMooncakeHaveABlockForEach512Tokens) {
  const auto trace = read("mooncake_synthetic_first2000.jsonl", TraceFormat::mooncake);
  if (trace == nullptr) GTEST_SKIP() << "no data: " << kTraces << " is absent";
  ASSERT_EQ(trace->size(), 2'000U);
  for (std::size_t row = 0; row < trace->size(); ++row)
    ASSERT_EQ(trace->prefix(row).size(), (trace->prompt_tokens[row] + 511) / 512) << row;
}

}  // namespace
}  // namespace specroute::sim
