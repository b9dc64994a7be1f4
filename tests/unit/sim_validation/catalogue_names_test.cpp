#include "sim/validation/catalogue_names.hpp"

#include <gtest/gtest.h>

namespace specroute::sim::validation {
namespace {

std::string device_of(const char* system) {
  const auto* device = find_system(system);
  return device == nullptr ? "none" : std::string(device->name);
}

std::string shape_of(const char* model) {
  const auto* shape = find_model(model);
  return shape == nullptr ? "none" : std::string(shape->name);
}

TEST(FindSystem, KnowsAiconfiguratorsNamesAndTheCataloguesOwn) {
  EXPECT_EQ(device_of("h100_sxm"), "H100-SXM-80");
  EXPECT_EQ(device_of("h200_sxm"), "H200-SXM-141");
  EXPECT_EQ(device_of("b200_sxm"), "B200-SXM-180");
  EXPECT_EQ(device_of("a100_sxm"), "A100-SXM-80");
  EXPECT_EQ(device_of("l40s"), "L40S-48");
  EXPECT_EQ(device_of("L4"), "L4-24");
  EXPECT_EQ(device_of("A100-SXM-40"), "A100-SXM-40");
  EXPECT_EQ(device_of("h100-nvl-94"), "H100-NVL-94");
  EXPECT_EQ(device_of("h100"), "none");
}

// Every name of the table leads to a device, and every device has a name.
TEST(FindSystem, FindsEveryDeviceByItsOwnName) {
  for (const models::Device& device : models::devices())
    EXPECT_EQ(find_system(device.name), &device) << device.name;
}

TEST(FindModel, PassesOverWhatDoesNotChangeTheShape) {
  EXPECT_EQ(shape_of("Qwen3-32B"), "qwen3-32b");
  EXPECT_EQ(shape_of("Qwen/Qwen3-32B-FP8"), "qwen3-32b");
  EXPECT_EQ(shape_of("Llama-3.1-8B-Instruct"), "llama-3.1-8b");
  EXPECT_EQ(shape_of("meta-llama/Meta-Llama-3.1-70B-Instruct-FP8"), "llama-3.1-70b");
  EXPECT_EQ(shape_of("mistralai/Mixtral-8x7B-Instruct-v0.1"), "mixtral-8x7b");
  EXPECT_EQ(shape_of("Qwen3-9B"), "none");
  EXPECT_EQ(shape_of("-Instruct"), "none");
  EXPECT_EQ(shape_of(""), "none");
}

TEST(FindEngine, TakesEverySpellingOfTensorRt) {
  EXPECT_EQ(find_engine("vLLM"), models::EngineFamily::vllm);
  EXPECT_EQ(find_engine("TensorRT-LLM"), models::EngineFamily::trtllm);
  EXPECT_EQ(find_engine("trt-llm"), models::EngineFamily::trtllm);
  EXPECT_EQ(find_engine("trtllm"), models::EngineFamily::trtllm);
  EXPECT_FALSE(find_engine("tgi").has_value());
}

TEST(FindPrecision, ReadsAnEmptyOneAsBf16) {
  EXPECT_EQ(find_precision(""), models::Precision::bf16);
  EXPECT_EQ(find_precision("FP16"), models::Precision::bf16);
  EXPECT_EQ(find_precision("fp8"), models::Precision::fp8);
  EXPECT_EQ(find_precision("fp8_block"), models::Precision::fp8);
  EXPECT_FALSE(find_precision("nvfp4").has_value());
}

TEST(SkippedRows, CountsByReasonAndNamesTheNearest) {
  SkippedRows skipped;
  skipped.unknown("model", "Qwen3-80B");
  skipped.unknown("system", "h100_sxn");
  skipped.unknown("model", "Qwen3-80B");
  skipped.because("pipeline parallelism");
  EXPECT_EQ(skipped.notes(),
            (std::vector<std::string>{
                "skipped 2 rows: unknown model \"Qwen3-80B\"; did you mean \"qwen3-8b\"?",
                "skipped 1 row: unknown system \"h100_sxn\"; did you mean \"h100_sxm\"?",
                "skipped 1 row: pipeline parallelism"}));
}

}  // namespace
}  // namespace specroute::sim::validation
