/// @file
/// Expected speed-ups of speculative sampling as its authors computed them.
#pragma once

#include "sim/validation/comparison.hpp"

namespace specroute::sim::validation {

/// The 12 "Exp" values of Leviathan et al., table 2, from the acceptance and cost of the same rows
/// (tables 2 and 4): within 0.1, as far as rounding of alpha and c to two digits goes.
/// @source Leviathan, Kalman and Matias, "Fast inference from transformers via speculative
/// decoding", ICML 2023, arXiv 2211.17192: theorem 3.8, tables 2 and 4.
[[nodiscard]] Section leviathan_section();

}  // namespace specroute::sim::validation
