/// @file
/// One stale override under several verification rules: our own check.
#pragma once

#include "sim/validation/comparison.hpp"

namespace specroute::sim::validation {

/// A draft stuck at temperature 0 (or 0.2) while requests ask for 0.7: acceptance must rise, fall
/// or stay depending on the rule alone, and output must be exact or biased likewise. No measurement
/// is involved: signs are from the formulas (Leviathan et al. 2023 for `rejection`), and the check
/// is that the models give them.
[[nodiscard]] Section stale_override_signs_section();

}  // namespace specroute::sim::validation
