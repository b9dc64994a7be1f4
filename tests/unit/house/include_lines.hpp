/// @file
/// `#include` lines of a source, and the file of ours that one names.
#pragma once

#include "tests/unit/house/source_tree.hpp"

namespace specroute::house {

/// One `#include` line.
struct IncludeLine {
  std::string spelling;  ///< what stands between the quotes or brackets
  bool quoted = false;
  std::size_t line = 0;
};

/// Every `#include` of a text, in order. Lines in comments or strings are not told apart: ours hold
/// none.
std::vector<IncludeLine> include_lines(const std::string& text);

/// The repository path that an include of ours names, or "" for a header that is not ours.
std::string repository_path(const IncludeLine& include);

}  // namespace specroute::house
