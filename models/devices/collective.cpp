#include "models/devices/collective.hpp"

#include <specroute/vocab/check.hpp>

namespace specroute::models {

AllReduce all_reduce(const Device& device, std::uint32_t group, const ReduceFit& fit) {
  check(group >= 1, "a tensor-parallel group has a device");
  if (group == 1) return {};
  const double members = group;
  const double crossings = 2.0 * (members - 1.0) / members;
  const auto regime = [&](const ReduceConstants& constants, double left) -> AllReduce::Regime {
    const double microseconds =
        constants.microseconds + constants.microseconds_more * (members - 2.0);
    return {.latency = Seconds{microseconds * 1e-6},
            .seconds_per_byte = crossings / (constants.share * left * device.link.value())};
  };
  if (device.links_through_host()) {
    const auto only = regime(fit.host, group > 2 ? fit.bridge * 2.0 / members : 1.0);
    return {.small = only, .bulk = only, .bulk_from = Bytes{0.0}};
  }
  return {.small = regime(fit.small, 1.0), .bulk = regime(fit.bulk, 1.0), .bulk_from = Bytes{6e6}};
}

}  // namespace specroute::models
