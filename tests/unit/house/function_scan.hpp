/// @file
/// A brace scanner that finds function definitions in code of our style, and measures them.
#pragma once

#include "tests/unit/house/source_tree.hpp"

namespace specroute::house {

/// One function definition.
struct FunctionSize {
  std::string name;
  std::size_t line = 0;   ///< where the declaration begins
  std::size_t lines = 0;  ///< from there to the closing brace, both included
  std::size_t parameters = 0;
};

/// The function definitions of a text, in order. Lambdas count with the function they stand in.
std::vector<FunctionSize> functions_of(const std::string& text);

}  // namespace specroute::house
