/// @file
/// How every command refuses: all faults at once, and exit code 2.
#pragma once

#include <ostream>

#include <specroute/vocab/result.hpp>

#include "sim/cli/exit_code.hpp"

namespace specroute::sim {

/// Writes the faults to `err`, one by one, each with its place and nearest spelling.
ExitCode refuse(const Diagnostics& faults, std::ostream& err);

}  // namespace specroute::sim
