/// @file
/// The repository's own C and C++ sources as data, for the tests that hold the house rules.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace specroute::house {

/// One source: path from the repository root with forward slashes, and its whole text.
struct SourceFile {
  std::string path;
  std::string text;
};

/// A broken rule: printed as "path:line: what", so that an editor can jump to it.
struct Violation {
  std::string path;
  std::size_t line = 0;
  std::string what;
};

using Violations = std::vector<Violation>;

/// Every .c, .cpp, .h and .hpp of the repository in the order of their paths; hidden folders, build
/// trees and results are left out.
std::vector<SourceFile> source_files();

/// Paths of all files (of any kind) in the folders that hold code, in order.
std::vector<std::string> code_folder_paths();

/// True where `path` is `folder` or lies in it: "sim/engine/lane.cpp" is in "sim/engine" and "sim".
bool lies_in(const std::string& path, const std::string& folder);

/// The lines of a text, without their line ends.
std::vector<std::string> lines_of(const std::string& text);

/// All violations, one a line; empty where there is none.
std::string to_string(const Violations& violations);

}  // namespace specroute::house
