/// @file
/// A validation as JSON: every comparison, every error, every bound.
#pragma once

#include <string>

#include "sim/validation/data_directory.hpp"
#include "sim/validation/validate_models.hpp"

namespace specroute::sim {

/// Errors and percentages are fractions; the build that computed it and the SHA-256 of each data
/// file stand beside.
[[nodiscard]] std::string validation_json(const validation::Validation& validation,
                                          const validation::DataDirectory& data);

}  // namespace specroute::sim
