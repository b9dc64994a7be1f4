/// @file
/// Mean acceptance lengths of long drafts from those of short ones.
#pragma once

#include <specroute/vocab/result.hpp>

#include "sim/validation/comparison.hpp"
#include "sim/validation/data_directory.hpp"

namespace specroute::sim::validation {

/// For every model and setting of acceptance/*.csv: the depth law from the rows of at most 4 draft
/// tokens (fitted), the rows of more (predicted). Columns: model, num_speculative_tokens,
/// mean_acceptance_length; draft_method, thinking, temperature, top_p, top_k and dataset, where
/// there, tell settings apart.
/// Settings without three short draft lengths, or without a long one, are left out with a note.
/// Refused: a column missing, a number malformed, a length outside [1, draft tokens + 1].
[[nodiscard]] Result<Section> acceptance_length_section(const DataDirectory& data);

}  // namespace specroute::sim::validation
