#include "sim/cli/misspelling.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include <specroute/vocab/result.hpp>

#include "sim/json/json_value.hpp"
#include "sim/json/nearest.hpp"

namespace specroute::sim {
namespace {

std::vector<std::string> subcommands_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* each : command.get_subcommands({})) names.push_back(each->get_name());
  return names;
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

}  // namespace

std::string choice_fault(const std::vector<std::string>& choices, const std::string& word) {
  if (std::ranges::find(choices, word) != choices.end()) return {};
  Diagnostic fault{.file = {},
                   .place = {},
                   .expected = {},
                   .found = sim::quoted(word),
                   .nearest = nearest_of(word, choices)};
  for (const std::string& choice : choices)
    fault.expected += (fault.expected.empty() ? "one of " : ", ") + choice;
  return to_string(fault);
}

std::string misspelling(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App* command = &app;
  for (const std::string& word : arguments) {
    if (word == "--") return {};
    if (word.starts_with("--")) {
      const std::string name = word.substr(0, word.find('='));
      const auto known = options_of(*command);
      if (std::ranges::find(known, name) != known.end()) continue;
      return to_string(Diagnostic{.file = command->get_name(),
                                  .place = {},
                                  .expected = {},
                                  .found = "an unknown option " + name,
                                  .nearest = nearest_of(name, known)});
    }
    const auto subcommands = subcommands_of(*command);
    if (subcommands.empty() || word.starts_with('-')) continue;
    if (auto fault = choice_fault(subcommands, word); !fault.empty()) return fault;
    command = command->get_subcommand(word);
  }
  return {};
}

}  // namespace specroute::sim
