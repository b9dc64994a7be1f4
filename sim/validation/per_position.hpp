/// @file
/// Published per-position acceptances against the figures published beside them.
#pragma once

#include "sim/validation/comparison.hpp"

namespace specroute::sim::validation {

/// Eight vectors of unconditional acceptance as engines log them. Identities: the mean acceptance
/// length that our conditional shape gives is the one the engine logged; so are the rates of two
/// counters. Prediction: of the vectors with more than four positions, the whole length from the
/// first four by the depth law, which was chosen without them.
[[nodiscard]] Section per_position_section();

}  // namespace specroute::sim::validation
