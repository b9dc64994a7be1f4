#include "sim/report/build_info.hpp"

namespace specroute::sim {

const BuildInfo& build_info() {
  static const BuildInfo kInfo{.version = SPECROUTE_VERSION,
                               .commit = kBuiltCommit,
                               .dirty = kBuiltDirty,
                               .compiler = SPECROUTE_COMPILER,
                               .simgrid = SPECROUTE_SIMGRID_VERSION};
  return kInfo;
}

}  // namespace specroute::sim
