#include "models/devices/collective.hpp"

#include <specroute/vocab/check.hpp>

namespace specroute::models {
namespace {

AllReduce::Regime regime(double microseconds, double bytes_per_second, double crossings) {
  return {.latency = Seconds{microseconds * 1e-6},
          .seconds_per_byte = crossings / bytes_per_second};
}

}  // namespace

AllReduce all_reduce(const Device& device, std::uint32_t group) {
  check(group >= 1, "a tensor-parallel group has a device");
  if (group == 1) return {};
  const double members = group;
  const double more = members - 2.0;
  const double crossings = 2.0 * (members - 1.0) / members;
  const double link = device.link.value();
  if (device.links_through_host()) {
    const double shared = group > 2 ? 0.39 * 2.0 / members : 1.0;
    const auto only = regime(5.4 + 3.3 * more, 0.6 * link * shared, crossings);
    return {.small = only, .bulk = only, .bulk_from = Bytes{0.0}};
  }
  return {.small = regime(4.26 + 0.2 * more, 0.463 * link, crossings),
          .bulk = regime(27.9 + 0.8 * more, 0.757 * link, crossings),
          .bulk_from = Bytes{6e6}};
}

}  // namespace specroute::models
