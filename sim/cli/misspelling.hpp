/// @file
/// Words of a command line that nothing answers to, and the nearest that something does.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace specroute::sim {

/// What is wrong with `word` where it is none of `choices`, with the nearest of them; empty where
/// it is one.
[[nodiscard]] std::string choice_fault(const std::vector<std::string>& choices,
                                       const std::string& word);

/// The first of `arguments` that is neither a subcommand where one is due nor an option ("--NAME")
/// of the command it follows, as a sentence; empty where there is none. Ask where CLI11 refused
/// them: it counts such words among the unexpected, or asks for a subcommand.
[[nodiscard]] std::string misspelling(const CLI::App& app,
                                      const std::vector<std::string>& arguments);

}  // namespace specroute::sim
