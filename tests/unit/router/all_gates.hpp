/// @file
/// The names of all gates, for tests that go through each.
#pragma once

#include <string>
#include <vector>

#include "router/gate.hpp"

namespace specroute::router::test {

/// From the router's own list, in its order.
inline std::vector<std::string> all_gates() {
  std::vector<std::string> names;
  for (const Gate& gate : gates()) names.emplace_back(gate.name);
  return names;
}

}  // namespace specroute::router::test
