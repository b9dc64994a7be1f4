#include "tests/sim/worlds/world_seeds.hpp"

#include <cstdlib>

namespace specroute::sim {

std::uint64_t given_world_seed() {
  // Without one, the worlds that follow the constant's own, so that none is drawn twice.
  const char* const given = std::getenv("SPECROUTE_TEST_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : kFixedWorldSeed + 1000;
}

std::string seed_note(std::uint64_t w, std::uint64_t count) {
  return "SPECROUTE_TEST_SEED=" + std::to_string(world_seed(w, count)) +
         (w < count / 2 ? " (drawn from the constant)" : " (drawn from the commit)");
}

}  // namespace specroute::sim
