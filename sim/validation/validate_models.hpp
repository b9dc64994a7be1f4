/// @file
/// Every section of the validation, in the order of the report.
#pragma once

#include <string>
#include <vector>

#include <specroute/vocab/result.hpp>

#include "sim/validation/comparison.hpp"
#include "sim/validation/data_directory.hpp"

namespace specroute::sim::validation {

/// What the command `validate-models` has to say.
struct Validation {
  std::vector<Section> sections;
  std::vector<std::string> notes;  ///< files not read, sections not run and why
};

/// Holds the models against published facts, and against whatever `data` has. Nothing is fitted on
/// `data`. Pure: the same data give the same bits.
/// Refused: data files that cannot be read as what their names say, with all faults of all files.
[[nodiscard]] Result<Validation> validate_models(const DataDirectory& data);

/// The bounds that are missed, over all sections; misses that are known do not count.
[[nodiscard]] std::size_t missed_bounds(const Validation& validation);

}  // namespace specroute::sim::validation
