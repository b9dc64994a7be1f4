/// @file
/// `specroute policy`: configurations and unit tests of router policies, without a simulation.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <specroute/policy_abi.h>

#include "sim/cli/exit_code.hpp"

namespace CLI {
class App;
}

namespace specroute::sim {

struct PolicyValidateArguments {
  std::vector<std::string> configs;  ///< files; "-": standard input
  bool print_schema = false;
  bool list = false;
  bool quiet = false;
};

struct PolicyTestArguments {
  std::vector<std::string> paths;  ///< files, and folders for all *.json in them
  std::string filter;              ///< only tests whose name has this in it; empty: all
  std::string json;                ///< where the results go; "-": standard output; empty: nowhere
  std::string junit;               ///< likewise
  bool quiet = false;
};

/// Everything that `specroute policy ...` can say.
struct PolicyWords {
  PolicyValidateArguments validate;
  PolicyTestArguments test;
};

/// Adds the command `policy` with its subcommands.
void add_policy_command(CLI::App& app, PolicyWords& words);

/// Runs what was said, for the built-in gates.
[[nodiscard]] ExitCode policy_command(const CLI::App& app, const PolicyWords& words,
                                      std::ostream& out, std::ostream& err);

/// Checks configurations of `module`; every fault of every file.
/// @return bad_usage where one is at fault
[[nodiscard]] ExitCode policy_validate_command(const srp_module& module,
                                               const PolicyValidateArguments& arguments,
                                               std::ostream& out, std::ostream& err);

/// Runs files of policy tests against `module`. Nothing is run where a file is at fault.
/// @return expectation_failed where a test failed, bad_usage for a bad file
[[nodiscard]] ExitCode policy_test_command(const srp_module& module,
                                           const PolicyTestArguments& arguments, std::ostream& out,
                                           std::ostream& err);

}  // namespace specroute::sim
