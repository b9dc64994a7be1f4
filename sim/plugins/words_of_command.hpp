/// @file
/// A command line as its words, without a shell: what runs is the program itself, so it dies with
/// us, and a result can name the files that the command is made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace specroute::sim {

/// Words are separated by blanks. Quotes of both kinds keep blanks; a backslash outside single
/// quotes keeps the next character. Nothing is expanded. None where a quote is not closed.
[[nodiscard]] std::optional<std::vector<std::string>> words_of_command(const std::string& command);

}  // namespace specroute::sim
