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

  /// @param message bytes that each device contributes, >= 0. @return >= 0
  [[nodiscard]] Seconds time(Bytes message) const {
    const Regime& regime = message < bulk_from ? small : bulk;
    return regime.latency + Seconds{message.value() * regime.seconds_per_byte};
  }
};

/// Of a group of n devices: latency = microseconds + microseconds_more (n - 2), rate = share of the
/// link's bandwidth. Times are >= 0, the share lies in (0, 1].
struct ReduceConstants {
  double microseconds;
  double microseconds_more;
  double share;
};

/// What was fitted; see `all_reduce`. tests/fit/fit_kernels refits it, with 6.4 and 6.3 % of error
/// where these constants leave 7.6 and 6.8 %.
struct ReduceFit {
  ReduceConstants small = {4.26, 0.2, 0.463};  ///< link of its own, below 6 MB
  ReduceConstants bulk = {27.9, 0.8, 0.757};   ///< link of its own, above
  ReduceConstants host = {5.4, 3.3, 0.6};      ///< through the host; `share` is that of a pair
  double bridge = 0.39;                        ///< of the pair's share, left to more than a pair
};

/// Each byte crosses a device's link c = 2 (n - 1) / n times (ring bound).
/// Link of its own (NVLink): one regime below 6 MB (the engines' own kernel), another above it (the
/// library's). PCIe: a pair reaches its share of the link; more devices share the host's bridge,
/// n / 2 pairs of them.
/// @param group number of devices, >= 1; data exist for 2, 4 and 8.
/// @source custom all-reduce tables of NVIDIA aiconfigurator (H100 SXM, L40S), fitted by
/// tests/fit/fit_kernels (errors in docs/validation.md); Patarasuk and Yuan, "Bandwidth optimal
/// all-reduce algorithms", JPDC 69(2), 2009.
[[nodiscard]] AllReduce all_reduce(const Device& device, std::uint32_t group,
                                   const ReduceFit& fit = {});

}  // namespace specroute::models
