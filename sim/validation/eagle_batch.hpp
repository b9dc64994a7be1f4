/// @file
/// Speculation against batch size, as the authors of EAGLE-3 measured it.
#pragma once

#include "sim/validation/comparison.hpp"

namespace specroute::sim::validation {

/// Speed-up of EAGLE and EAGLE-3 on Llama-3.1-8B by batch size: SGLang with chains of 3 on an H100
/// (table 3), vLLM with chains of 2 (table 5, whose caption and text name different devices: both
/// are computed). The tokens per round of a chain are not published: each is read off the smallest
/// batch (fitted), and all other batches are predicted.
/// @source Li et al., "EAGLE-3: Scaling up inference acceleration of large language models via
/// training-time test", arXiv 2503.01840, tables 3 and 5.
[[nodiscard]] Section eagle_batch_section();

}  // namespace specroute::sim::validation
