#include <gtest/gtest.h>

#include "sim/validation/held_out.hpp"

namespace specroute::sim::validation {
namespace {

constexpr ServingPoint kSeen{.engine = "vllm",
                             .model = "Llama-3.1-70B",
                             .precision = "fp8",
                             .input_tokens = 1024,
                             .output_tokens = 8192,
                             .concurrency = 32,
                             .tensor_parallel = 4};

TEST(WasFitted, KnowsAPointOfTheMeasurements) {
  EXPECT_TRUE(was_fitted(kSeen));
}

// One figure changed, and the point is one that no constant ever saw.
TEST(WasFitted, IsNotSaidOfANeighbour) {
  ServingPoint other = kSeen;
  other.concurrency = 128;
  EXPECT_FALSE(was_fitted(other));
  other = kSeen;
  other.output_tokens = 512;
  EXPECT_FALSE(was_fitted(other));
  other = kSeen;
  other.tensor_parallel = 1;
  EXPECT_FALSE(was_fitted(other));
  other = kSeen;
  other.precision = "bf16";
  EXPECT_FALSE(was_fitted(other));
  other = kSeen;
  other.model = "Llama-3.1-8B-Instruct";  // seen, but not on this engine
  EXPECT_FALSE(was_fitted(other));
}

TEST(HeldOutFits, ExistForWhatWasFittedAlone) {
  EXPECT_NE(fit_without_model("Qwen3-32B"), nullptr);
  EXPECT_NE(fit_without_engine("sglang"), nullptr);
  EXPECT_EQ(fit_without_model("Qwen3-8B"), nullptr);
  EXPECT_EQ(fit_without_engine("tgi"), nullptr);
}

}  // namespace
}  // namespace specroute::sim::validation
