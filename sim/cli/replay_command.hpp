/// @file
/// `specroute replay`: production telemetry through gates.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "sim/cli/exit_code.hpp"

namespace specroute::sim {

struct ReplayArguments {
  std::string mapping;             ///< file; empty: none, for our own events
  std::vector<std::string> gates;  ///< names of gates, with default configurations
  std::string gates_file;          ///< JSON: label -> configuration; empty: none
  std::vector<std::string> files;
  std::string format = "auto";
  std::string out;   ///< result directory; empty: none
  std::string json;  ///< where summary.json goes too; "-": standard output
  bool force = false;
  bool strict = false;  ///< bad lines fail
  bool quiet = false;
};

/// 0; 2 where mapping, gates, files or destinations are refused, and where bad lines are and
/// `strict` is asked for. Nothing is written then.
[[nodiscard]] ExitCode replay_command(const ReplayArguments& arguments, std::ostream& out,
                                      std::ostream& err);

}  // namespace specroute::sim
