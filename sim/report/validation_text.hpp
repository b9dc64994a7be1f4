/// @file
/// A validation as people read it: on a terminal, and as the page docs/validation.md.
#pragma once

#include <string>

#include "sim/validation/data_directory.hpp"
#include "sim/validation/validate_models.hpp"

namespace specroute::sim {

/// Errors by group, bounds and notes of each section; no questions, no single comparisons.
[[nodiscard]] std::string validation_terminal(const validation::Validation& validation);

/// The whole page. It names the data by content and no path, so the same data give the same bytes.
[[nodiscard]] std::string validation_markdown(const validation::Validation& validation,
                                              const validation::DataDirectory& data);

}  // namespace specroute::sim
