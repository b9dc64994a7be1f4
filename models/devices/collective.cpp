#include "models/devices/collective.hpp"

#include <specroute/vocab/check.hpp>

namespace specroute::models {

AllReduce all_reduce(const Device& device, std::uint32_t group) {
  check(group >= 1, "a tensor-parallel group has a device");
  if (group == 1) return {};
  const double members = group;
  const double crossings = 2.0 * (members - 1.0) / members;
  if (device.links_through_host()) {
    const double rate = device.link.value() * 0.47 / (members - 1.0);
    return {.latency = Seconds{5.1e-6 + 3.35e-6 * (members - 2.0)},
            .seconds_per_byte = crossings / rate};
  }
  const double rate = device.link.value() * 0.5;
  return {.latency = Seconds{4.3e-6 + 0.13e-6 * (members - 2.0)},
          .seconds_per_byte = crossings / rate};
}

}  // namespace specroute::models
