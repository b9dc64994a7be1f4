/// @file
/// Synthetic traces in every format, for the samples under scenarios/traces/ and for tests.
///
/// Shapes only: gaps come in clumps, prompts and outputs are lognormal, conversations grow turn by
/// turn. Nobody's traffic is copied.
#pragma once

#include <cstdint>
#include <string>

#include "sim/traces/trace.hpp"

namespace specroute::sim {

struct TraceRecipe {
  TraceFormat format;
  std::uint32_t requests = 1000;  ///< rows, at least 1
  std::uint64_t seed = 1;
  double rate_per_s = 5.0;            ///< mean, at least 0.001
  double gap_cv = 2.0;                ///< of the gaps, in [0.05, 50]
  double mean_prompt_tokens = 512.0;  ///< >= 1; of a conversation's first turn
  double mean_output_tokens = 96.0;   ///< >= 1
};

/// The file's bytes: equal recipes give equal bytes on every machine. About 4 % of BurstGPT's rows
/// have no token, as in the original.
[[nodiscard]] std::string make_trace(const TraceRecipe& recipe);

}  // namespace specroute::sim
