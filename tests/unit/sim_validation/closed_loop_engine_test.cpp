/// @file
/// The closed loop against the engine that whole runs use: one client, chunk by chunk.
#include <gtest/gtest.h>

#include "models/random/stream.hpp"
#include "sim/serving/target_engine.hpp"
#include "sim/validation/closed_loop.hpp"

namespace specroute::sim::validation {
namespace {

constexpr std::uint32_t kChunk = 2048;

models::StepModel eight_billion() {
  return models::step_model({.device = *models::find_device("H100-SXM-80"),
                             .shape = *models::find_model_shape("llama-3.1-8b")});
}

/// One request on an idle engine without a draft: first token and end.
struct Served {
  Seconds first_token{0.0};
  Seconds end{0.0};
};

Served serve(const models::StepModel& step, std::uint32_t input, std::uint32_t output) {
  StepTables alone;
  alone.rows.resize(2);
  Binding binding;
  binding.alone = binding.tables = &alone;
  binding.counts.resize(2);
  TargetEngine engine({.step = step,
                       .index = 0,
                       .half_batches = 1,
                       .max_sequences = 8,
                       .prefill_chunk_tokens = kChunk,
                       .kv_blocks = 1U << 20U,
                       .kv_block_tokens = 16,
                       .decode_key = models::Seed{1}.key("decode")});
  engine.bind(&binding);
  Sequence sequence;
  sequence.prompt_tokens = input;
  sequence.length = sequence.limit = output;
  Served served;
  EngineActions actions;
  engine.submit(sequence, Seconds{0.0}, actions);
  while (!actions.scheduled.empty()) {
    const auto next = actions.scheduled.front();
    actions.clear();
    engine.on_due(next.due, next.half, next.date, actions);
    if (!actions.finished.empty()) {
      served.first_token = actions.finished.front().first_token;
      served.end = next.date;
    }
  }
  return served;
}

TEST(ClosedLoop, TakesTheTimeOfTheEngineThatRunsUse) {
  const models::StepModel step = eight_billion();
  for (const std::uint32_t input : {100U, 2048U, 5000U})
    for (const std::uint32_t output : {2U, 40U}) {
      const Served served = serve(step, input, output);
      const auto loop = run_closed_loop(
          step,
          {.scheduling = {.token_budget = kChunk, .prefill_first = false, .reserves_output = true},
           .input_tokens = input,
           .output_tokens = output,
           .concurrency = 1,
           .kv_tokens = 1e6});
      ASSERT_TRUE(loop.has_value());
      // The engine keeps a prompt's row in every chunk, the loop in the last one alone.
      const double chunking = input <= kChunk ? 1e-9 : 0.01;
      EXPECT_NEAR(loop->median_ttft / served.first_token, 1.0, chunking) << input << ' ' << output;
      // The loop counts an emitted token in the context one pass later: one of a hundred and more.
      EXPECT_NEAR(
          loop->median_tpot.count() * (output - 1.0) / (served.end - served.first_token).count(),
          1.0, 1e-4)
          << input << ' ' << output;
    }
}

}  // namespace
}  // namespace specroute::sim::validation
