/// @file
/// All-reduce among the devices of one tensor-parallel group, as latency plus bytes over bandwidth.
#pragma once

#include <cstdint>

#include <specroute/vocab/units.hpp>

#include "models/devices/device.hpp"

namespace specroute::models {

/// latency + bytes * seconds_per_byte, in one of two regimes. For a group of one, all terms are 0.
struct AllReduce {
  struct Regime {
    Seconds latency{0.0};
    double seconds_per_byte = 0.0;
  };
  Regime small;  ///< the engines' own kernel
  Regime bulk;   ///< the library's, from `bulk_from` bytes on
  Bytes bulk_from{0.0};

  [[nodiscard]] Seconds time(Bytes message) const {
    const Regime& regime = message < bulk_from ? small : bulk;
    return regime.latency + Seconds{message.value() * regime.seconds_per_byte};
  }
};

/// Each byte crosses a device's link c = 2 (n - 1) / n times (ring bound).
/// Link of its own (NVLink): below 6 MB 4.26 us + 0.2 us (n - 2) and 0.463 of the link, above it
/// 27.9 us + 0.8 us (n - 2) and 0.757 of it.
/// PCIe: 5.4 us + 3.3 us (n - 2); a pair reaches 0.6 of the link; more devices share the host's
/// bridge, n / 2 pairs of them, at 0.39 of that.
/// @param group number of devices, >= 1; data exist for 2, 4 and 8.
/// @source custom all-reduce tables of NVIDIA aiconfigurator (H100 SXM, L40S; errors in
/// docs/validation.md); Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms", JPDC 69(2),
/// 2009.
[[nodiscard]] AllReduce all_reduce(const Device& device, std::uint32_t group);

}  // namespace specroute::models
