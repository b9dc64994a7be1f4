/// @file
/// The commands that look without simulating.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "sim/cli/exit_code.hpp"

namespace specroute::sim {

/// Reads scenarios and says everything that is wrong with each.
[[nodiscard]] ExitCode validate_command(const std::vector<std::string>& scenarios,
                                        std::ostream& out, std::ostream& err);

/// Name, title and question of every scenario file in a directory.
[[nodiscard]] ExitCode list_command(const std::string& directory, std::ostream& out,
                                    std::ostream& err);

/// The gates that the policy library offers.
[[nodiscard]] ExitCode gates_command(std::ostream& out);

/// The device catalogue.
[[nodiscard]] ExitCode devices_command(std::ostream& out);

/// "specroute 0.1.0 (commit ..., SimGrid 3.32.0, GNU 12.2.0)".
[[nodiscard]] std::string version_text();

}  // namespace specroute::sim
