/// @file
/// Where a backend stands, whom else it serves, how it starts, and what it costs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

namespace specroute::sim {

/// Of one backend. The defaults are a machine of its own that starts at full speed.
struct Hosting {
  std::string node = {};          ///< backends of one node share a NIC; empty: a node of its own
  std::uint32_t max_targets = 1;  ///< of a draft: targets that it serves at once, >= 1
  BackendId on_devices_of = {};   ///< of a co-located draft: the target that owns the devices
  Seconds warm_up{0.0};           ///< after the weights are there: compilation, graph capture
  std::uint32_t slow_passes = 0;  ///< of each engine after a restart
  double slow_factor = 1.0;       ///< time of a slow pass over that of another, >= 1
  std::optional<double> usd_per_device_hour = {};  ///< none: the catalogue's price
  std::optional<Watts> device_power = {};          ///< rated; none: the catalogue's
};

/// Electrical power of a device, as shares of its rated power: `busy` during a pass, `idle` else.
/// What the meter sees is that times the power usage effectiveness of the building.
struct PowerModel {
  double idle_share = 0.0;
  double busy_share = 1.0;
  double usage_effectiveness = 1.0;  ///< >= 1
};

}  // namespace specroute::sim
