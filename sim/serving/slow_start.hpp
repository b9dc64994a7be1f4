/// @file
/// The first passes of an engine after a restart take longer: caches are cold, kernels compile.
#pragma once

#include <cstdint>

#include <specroute/vocab/units.hpp>

namespace specroute::sim {

struct SlowStart {
  std::uint32_t passes = 0;  ///< still to come
  double factor = 1.0;       ///< their time over that of any other, >= 1

  /// The time that a pass of `work` takes, which is then behind.
  [[nodiscard]] Seconds stretched(Seconds work) {
    if (passes == 0) return work;
    --passes;
    return work * factor;
  }
};

}  // namespace specroute::sim
