/// @file
/// `specroute validate-models`: the models against measurement.
#pragma once

#include <ostream>
#include <string>

#include "sim/cli/exit_code.hpp"

namespace specroute::sim {

struct ValidateModelsArguments {
  std::string data;      ///< directory of data files; empty: published facts alone
  std::string markdown;  ///< where the page goes; "-": standard output; empty: nowhere
  std::string json;      ///< likewise
  bool quiet = false;    ///< no table
};

/// Computes every section, then writes. Nothing is written where an input is at fault.
/// @return expectation_failed where a stated bound is missed.
[[nodiscard]] ExitCode validate_models_command(const ValidateModelsArguments& arguments,
                                               std::ostream& out, std::ostream& err);

}  // namespace specroute::sim
