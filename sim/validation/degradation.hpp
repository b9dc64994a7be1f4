/// @file
/// Loops and schema violations: what is published of them, against what the models say; and how
/// conclusions move with what is not published.
#pragma once

#include "sim/validation/comparison.hpp"

namespace specroute::sim::validation {

/// Anchors, then sensitivity. The level of loops is calibrated on one sampling per source, the rest
/// of that source predicted.
/// @source Holtzman et al., ICLR 2020, arXiv 1904.09751, table 1, by way of two secondary notes
/// that agree; gmftbyGMFTBY/Copyisallyouneed, evaluation/README.md;
/// Blackwellboy/model-serving-minefield issue 108; TheTom/llama-cpp-turboquant issue 345; kekzl/imp
/// pull request 1460.
[[nodiscard]] Section degradation_section();

}  // namespace specroute::sim::validation
