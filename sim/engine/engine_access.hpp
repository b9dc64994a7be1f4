/// @file
/// What lane.cpp and flows.cpp need of a Platform beyond its public face. Private to this folder.
#pragma once

#include "sim/engine/platform.hpp"

namespace simgrid::s4u {
class Engine;
class Host;
}  // namespace simgrid::s4u

namespace specroute::sim {

struct EngineAccess {
  static simgrid::s4u::Engine& engine(Platform& platform);
  static simgrid::s4u::Host* host(Platform& platform, HostIndex index);

  /// True while a local event runs, that is, while the platform must not be touched.
  static bool& local_event_runs(Platform& platform);
};

}  // namespace specroute::sim
