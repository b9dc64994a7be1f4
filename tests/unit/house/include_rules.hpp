/// @file
/// The one direction of dependencies (docs/architecture.md), read off `#include` lines.
#pragma once

#include "tests/unit/house/source_tree.hpp"

namespace specroute::house {

/// Includes that point against the layers, or that no file of `files` answers.
Violations layer_violations(const std::vector<SourceFile>& files);

/// Folders of product code that include each other in a circle.
Violations circle_violations(const std::vector<SourceFile>& files);

/// Third-party headers outside the named place of their library, or in a header of ours.
Violations library_violations(const std::vector<SourceFile>& files);

}  // namespace specroute::house
