/// @file
/// What this binary was built from and with, as known when it was built.
#pragma once

#include <string_view>

namespace specroute::sim {

struct BuildInfo {
  std::string_view version;   ///< of specroute
  std::string_view commit;    ///< full hash; "unknown" outside a git checkout
  bool dirty;                 ///< the checkout had changes that the commit does not
  std::string_view compiler;  ///< name and version
  std::string_view simgrid;   ///< version of the headers compiled against
};

[[nodiscard]] const BuildInfo& build_info();

// Defined in a source file that the build writes (commit.cmake).
extern const char* const kBuiltCommit;
extern const bool kBuiltDirty;

}  // namespace specroute::sim
