/// @file
/// One engine under a closed loop of equal requests, as serving benchmarks measure it: each client
/// sends a prompt, waits for its last token, and sends the next at once.
///
/// A plain simulation of passes, deterministic, no engine and no random number. All requests have
/// one input and one output length, so the running ones end in the order in which they began, and a
/// pass costs the same work however many sequences it holds.
#pragma once

#include <cstdint>
#include <optional>

#include <specroute/vocab/units.hpp>

#include "models/devices/step_time.hpp"

namespace specroute::sim::validation {

/// How an engine fills a pass.
struct Scheduling {
  std::uint32_t token_budget;  ///< tokens of a pass
  bool prefill_first;          ///< waiting prompts get passes of their own; else they ride along
  bool reserves_output;  ///< KV memory for the whole request at admission; else it grows token by
                         ///< token, and the last comer is evicted and prefilled again where it ends
};

/// The families' defaults. @source vLLM: `max_num_batched_tokens` 2,048, chunked prefill beside
/// decoding; SGLang: `max_prefill_tokens` 16,384, prefill before decoding; TensorRT-LLM:
/// `max_num_tokens` 8,192, in-flight batching, `GUARANTEED_NO_EVICT`.
[[nodiscard]] Scheduling default_scheduling(models::EngineFamily family);

struct ClosedLoop {
  Scheduling scheduling;
  std::uint32_t input_tokens;   ///< >= 1
  std::uint32_t output_tokens;  ///< >= 2
  std::uint32_t concurrency;    ///< sequences that the engine may hold, >= 1
  double kv_tokens;  ///< that the engine's memory holds; a request reserves all of its own
  std::uint32_t waiting_clients = 0;  ///< beyond `concurrency`
  bool staggered = false;   ///< first outputs of all lengths, so that ends are spread evenly
  std::uint32_t waves = 4;  ///< requests a client sends; the first is not counted
};

struct ClosedLoopResult {
  Seconds median_ttft{0.0};
  Seconds median_tpot{0.0};
};

/// Medians over the requests of all waves but the first. Absent if one request does not fit.
[[nodiscard]] std::optional<ClosedLoopResult> run_closed_loop(const models::StepModel& step,
                                                              const ClosedLoop& loop);

}  // namespace specroute::sim::validation
