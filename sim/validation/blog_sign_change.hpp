/// @file
/// Speculation that pays at low load and costs at high load, as vLLM's authors report it.
#pragma once

#include "sim/validation/comparison.hpp"

namespace specroute::sim::validation {

/// Llama-3-70B on four H100: 1.5 times faster with a draft of 0.5B on ShareGPT at one query per
/// second, 1.4 times slower at high load; 2.8 times faster with n-grams on CNN/DM, 1.8 times
/// slower. Tokens per round are read off the figure at low load (batch 1, fitted); that the sign
/// changes within the 256 sequences that vLLM batches is predicted.
/// @source "How speculative decoding boosts vLLM performance by up to 2.8x", vLLM blog, 2024-10-17.
[[nodiscard]] Section blog_sign_change_section();

}  // namespace specroute::sim::validation
