/// @file
/// Published figures on repetition loops, with what our models make of them.
#pragma once

#include "sim/validation/comparison.hpp"

namespace specroute::sim::validation {

/// Appends comparisons, tables and bounds on: loops against the entropy of what is sampled, the
/// share of a text that is repetition, the acceptance inside a loop, and the delay of detectors.
void add_loop_anchors(Section& section);

}  // namespace specroute::sim::validation
