/// @file
/// Dice for random worlds, by name: one more draw in one part does not change the others.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/random/stream.hpp"

namespace specroute::sim {

class Draw {
 public:
  Draw(std::uint64_t seed, std::string_view part) : stream_(models::Seed{seed}.stream(part)) {}
  std::uint32_t between(std::uint32_t low, std::uint32_t high) {
    return low + static_cast<std::uint32_t>(stream_.uniform() * (high - low + 1));
  }
  double real(double low, double high) { return low + stream_.uniform() * (high - low); }
  bool chance(double p) { return stream_.uniform() < p; }

 private:
  models::Stream stream_;
};

}  // namespace specroute::sim
