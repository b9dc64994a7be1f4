/// @file
/// C++ text with everything blanked that is not code, so that braces and commas mean what they say.
#pragma once

#include <string>

namespace specroute::house {

/// The text with comments, strings, character literals and preprocessor lines turned into blanks.
/// Length and line ends stay, so positions and line numbers do too.
std::string code_only(const std::string& text);

}  // namespace specroute::house
