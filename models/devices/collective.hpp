/// @file
/// All-reduce among the devices of one tensor-parallel group, as latency plus bytes over bandwidth.
#pragma once

#include <cstdint>

#include <specroute/vocab/units.hpp>

#include "models/devices/device.hpp"

namespace specroute::models {

/// time(bytes) = latency + bytes / rate. For a group of one, both terms are 0.
struct AllReduce {
  Seconds latency{0.0};
  double seconds_per_byte = 0.0;

  [[nodiscard]] Seconds time(Bytes message) const {
    return latency + Seconds{message.value() * seconds_per_byte};
  }
};

/// Each byte crosses a device's link 2 (n - 1) / n times (ring bound).
/// Link of its own (NVLink): latency 4.3 us + 0.13 us (n - 2), half the link rate is reached;
/// mean absolute log error 0.07 on the H100 table for 2 to 8 devices and messages to 16 MB.
/// PCIe: latency 5.1 us + 3.35 us (n - 2); 0.47 of the link, shared by n - 1, since all traffic
/// crosses the host's bridge; within a factor 1.4 at 2 MB on the L40S table.
/// @param group number of devices, >= 1; data exist for 2, 4 and 8.
/// @source custom all-reduce tables of NVIDIA aiconfigurator (H100 SXM, L40S); Patarasuk and Yuan,
/// "Bandwidth optimal all-reduce algorithms", JPDC 69(2), 2009.
[[nodiscard]] AllReduce all_reduce(const Device& device, std::uint32_t group);

}  // namespace specroute::models
