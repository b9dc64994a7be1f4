/// @file
/// The command line: arguments in, text and an exit code out.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace specroute::sim {

/// Runs one command. Results go to `out`, complaints to `err`; progress goes to the terminal that
/// standard error is, if it is one. @return the exit code (exit_code.hpp)
[[nodiscard]] int run_cli(const std::vector<std::string>& arguments, std::ostream& out,
                          std::ostream& err);

}  // namespace specroute::sim
