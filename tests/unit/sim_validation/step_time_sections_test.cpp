/// @file
/// Sections on serving points and kernels, from a few rows of text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/validation/kernel_tables.hpp"
#include "sim/validation/serving.hpp"

namespace specroute::sim::validation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kHeader =
    "model,system,engine,precision,input_tokens,output_tokens,concurrency,tensor_parallel,"
    "pipeline_parallel,ttft_ms,tpot_ms\n";

Section serving_of(const std::string& rows) {
  const auto section = serving_section(DataDirectory(
      {{.name = "perf/serving_measured.csv", .variant = "", .text = kHeader + rows}}));
  EXPECT_TRUE(section);
  return section.value();
}

std::vector<std::string> quantities(const Section& section) {
  std::vector<std::string> names;
  for (const Comparison& comparison : section.comparisons)
    names.push_back(comparison.quantity + ", " + to_string(comparison.standing));
  return names;
}

// A measured row of vLLM on H100: fitted, and predicted without its model and without its engine.
TEST(ServingSection, HoldsAFittedRowOutTwice) {
  const Section section = serving_of("Llama-3.1-70B,h100_sxm,vllm,fp8,1024,1024,8,4,1,96,12.11\n");
  EXPECT_THAT(quantities(section),
              ElementsAre("TPOT, fitted", "TTFT, predicted", "TPOT, its model left out, held out",
                          "TPOT, its engine left out, held out"));
  for (const Comparison& comparison : section.comparisons)
    EXPECT_NEAR(comparison.quantity == "TTFT" ? 0.0 : relative_error(comparison), 0.0, 0.1);
}

// Other devices, engines and models of the catalogue are predicted; an empty precision is bf16.
TEST(ServingSection, PredictsWhatWasNeverFitted) {
  const Section section = serving_of(
      "Qwen/Qwen3-8B,a100_sxm,sglang,,512,128,4,1,1,50,12\n"
      "Mixtral-8x7B-Instruct-v0.1,h200_sxm,vllm,fp8,512,128,4,1,1,50,12\n");
  EXPECT_THAT(quantities(section), ElementsAre("TPOT, predicted", "TTFT, predicted",
                                               "TPOT, predicted", "TTFT, predicted"));
  EXPECT_EQ(section.comparisons[0].group.precision, "bf16");
}

TEST(ServingSection, CountsWhatItLeavesOut) {
  const Section section = serving_of(
      "Qwen3-9B,h100_sxm,vllm,fp8,1024,128,8,1,1,96,12.11\n"
      "Qwen3-8B,h100_sxm,vllm,fp8,1024,128,8,1,2,96,12.11\n"
      "Llama-3.1-405B,h100_sxm,vllm,bf16,1024,128,8,1,1,96,12.11\n");
  EXPECT_TRUE(section.comparisons.empty());
  EXPECT_THAT(section.notes, testing::Contains(HasSubstr("unknown model \"Qwen3-9B\"")));
  EXPECT_THAT(section.notes, testing::Contains(HasSubstr("pipeline parallelism")));
  EXPECT_THAT(section.notes, testing::Contains(HasSubstr("do not fit the memory")));
}

// One entry of the public H100 table, and the same figure claimed for a device without a table.
TEST(GemmSection, IsFittedOnTwoDevicesAndPredictedOnOthers) {
  const auto section =
      gemm_section(DataDirectory({{.name = "perf/gemm_bf16_a100_sxm.csv",
                                   .variant = "a100_sxm",
                                   .text = "m,n,k,latency_ms\n1,16384,16384,0.3\n"},
                                  {.name = "perf/gemm_bf16_h100_sxm.csv",
                                   .variant = "h100_sxm",
                                   .text = "latency_ms,k,n,m\n0.1737,16384,16384,1\n"}}));
  ASSERT_TRUE(section);
  ASSERT_EQ(section.value().comparisons.size(), 2U);
  EXPECT_EQ(section.value().comparisons[0].standing, Standing::predicted);
  EXPECT_EQ(section.value().comparisons[1].standing, Standing::fitted);
  EXPECT_NEAR(relative_error(section.value().comparisons[1]), 0.0, 0.1);
  EXPECT_EQ(section.value().bounds.size(), 1U);
}

TEST(AttentionSection, NamesAMissingColumnAndItsNearest) {
  const auto section = attention_section(DataDirectory(
      {{.name = "perf/decode_attention_l40s.csv",
        .variant = "l40s",
        .text = "batch,query_heads,kv_heads,kv_token,latency_ms\n1,8,8,127,0.01\n"}}));
  ASSERT_FALSE(section);
  EXPECT_EQ(section.diagnostics().size(), 2U);
}

TEST(AllReduceSection, PassesOverAnUnknownSystemWithANote) {
  const auto section = all_reduce_section(
      DataDirectory({{.name = "perf/allreduce_h900.csv",
                      .variant = "h900",
                      .text = "gpus,message_elements,latency_ms\n2,128,0.004\n"}}));
  ASSERT_TRUE(section);
  EXPECT_TRUE(section.value().comparisons.empty());
  EXPECT_THAT(section.value().notes, ElementsAre(HasSubstr("unknown system \"h900\"")));
}

}  // namespace
}  // namespace specroute::sim::validation
