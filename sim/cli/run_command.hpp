/// @file
/// `specroute run`: a scenario under its gates, to a table, a document, a directory.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "sim/cli/exit_code.hpp"
#include "sim/plugins/plugin.hpp"

namespace specroute::sim {

struct RunArguments {
  std::string scenario;
  std::vector<std::string> gates;     ///< labels; empty: all
  std::vector<std::string> policies;  ///< from outside, run beside the gates: plugin_argument.hpp
  double policy_timeout_s = kPolicyTimeout.count();  ///< of one call or answer of theirs
  std::vector<std::uint64_t> seeds;                  ///< at least one
  std::string seeds_option;                          ///< how they were asked for: "--seeds 20"
  std::string trace;  ///< played in place of the scenario's traces; empty: none
  std::string out;    ///< result directory; empty: none
  std::string json;   ///< where summary.json goes too; "-": standard output
  unsigned jobs = 1;
  double timeout_s = 0.0;  ///< of one replication; 0: none
  bool force = false;
  bool lockstep = false;
  bool requests = false;
  bool quiet = false;
};

[[nodiscard]] ExitCode run_command(const RunArguments& arguments, std::ostream& out,
                                   std::ostream& err);

}  // namespace specroute::sim
