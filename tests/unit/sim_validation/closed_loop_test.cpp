/// @file
/// Closed loops by hand: every pass takes one second.
#include <gtest/gtest.h>

#include "sim/validation/closed_loop.hpp"

namespace specroute::sim::validation {
namespace {

models::StepModel one_second() {
  models::StepModel step;
  step.device_fixed = 1.0;
  return step;
}

ClosedLoop loop(std::uint32_t concurrency, std::uint32_t budget, bool prefill_first) {
  return {.scheduling = {.token_budget = budget,
                         .prefill_first = prefill_first,
                         .reserves_output = false},
          .input_tokens = 10,
          .output_tokens = 3,
          .concurrency = concurrency,
          .kv_tokens = 1000.0};
}

// A prompt takes one pass, its other two tokens one each.
TEST(ClosedLoop, OfOneClientIsPrefillAndSteps) {
  const auto result = run_closed_loop(one_second(), loop(1, 100, false));
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->median_ttft, Seconds{1.0});
  EXPECT_EQ(result->median_tpot, Seconds{1.0});
}

// Passes of ten tokens. A has its prompt at 1 and tokens at 2 and 3; beside its decoding nine
// tokens of B's prompt fit at 2, the last at 3. From there each prompt takes two passes, and no
// decoding waits.
TEST(ClosedLoop, CutsPromptsIntoChunksBesideDecoding) {
  const auto result = run_closed_loop(one_second(), loop(2, 10, false));
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->median_ttft, Seconds{2.0});
  EXPECT_EQ(result->median_tpot, Seconds{1.0});
}

// Prompts first: A at 1, B at 2, both decode to 4. A's two tokens took 3 s, B's 2 s; the next two
// prompts wait 1 and 2 s. Of an even number the upper middle is the median.
TEST(ClosedLoop, LetsDecodingWaitWherePromptsComeFirst) {
  const auto result = run_closed_loop(one_second(), loop(2, 10, true));
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->median_ttft, Seconds{2.0});
  EXPECT_EQ(result->median_tpot, Seconds{1.5});
}

// With one client more than the engine holds, everybody waits for one request to end (3 s).
TEST(ClosedLoop, QueuesClientsBeyondTheBatch) {
  ClosedLoop queued = loop(1, 100, false);
  queued.waiting_clients = 1;
  const auto result = run_closed_loop(one_second(), queued);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->median_ttft, Seconds{4.0});
}

// Room for 26 tokens holds two requests whole. In 22, both prompts and a token each fit; at 2 s the
// next two do not, and B is evicted with its 11 tokens. A ends at 3 s; B comes back at 4 s and ends
// at 5 s, so its two tokens took 4 s, and A's next prompt waits until then: 3 s. Reserving admits
// one at a time: everybody waits for a whole request, 3 s, before a prompt of 1 s.
TEST(ClosedLoop, EvictsTheLastComerWhereMemoryEnds) {
  ClosedLoop tight = loop(2, 100, false);
  tight.kv_tokens = 26.0;
  const auto roomy = run_closed_loop(one_second(), tight);
  EXPECT_EQ(roomy->median_ttft, Seconds{1.0});
  EXPECT_EQ(roomy->median_tpot, Seconds{1.0});
  tight.kv_tokens = 22.0;
  const auto evicting = run_closed_loop(one_second(), tight);
  EXPECT_EQ(evicting->median_ttft, Seconds{3.0});
  EXPECT_EQ(evicting->median_tpot, Seconds{2.0});
  tight.scheduling.reserves_output = true;
  const auto reserving = run_closed_loop(one_second(), tight);
  EXPECT_EQ(reserving->median_tpot, Seconds{1.0});
  EXPECT_EQ(reserving->median_ttft, Seconds{4.0});
}

TEST(ClosedLoop, IsAbsentWhereOneRequestDoesNotFit) {
  ClosedLoop tiny = loop(1, 100, false);
  tiny.kv_tokens = 12.0;
  EXPECT_FALSE(run_closed_loop(one_second(), tiny).has_value());
}

}  // namespace
}  // namespace specroute::sim::validation
