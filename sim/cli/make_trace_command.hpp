/// @file
/// `specroute make-trace`: a synthetic trace in a published format.
#pragma once

#include <ostream>
#include <string>

#include "sim/cli/exit_code.hpp"
#include "sim/traces/make_trace.hpp"

namespace specroute::sim {

struct MakeTraceArguments {
  std::string format = "specroute";
  std::string out;  ///< file; empty: standard output
  TraceRecipe recipe{};
};

[[nodiscard]] ExitCode make_trace_command(const MakeTraceArguments& arguments, std::ostream& out,
                                          std::ostream& err);

}  // namespace specroute::sim
