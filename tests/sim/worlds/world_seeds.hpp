/// @file
/// Where random worlds are drawn from: half of a test's from a constant, so that a failure does not
/// go with the next commit, half from the commit, so that every commit tries new ones.
#pragma once

#include <cstdint>
#include <string>

namespace specroute::sim {

inline constexpr std::uint64_t kFixedWorldSeed = 20261106;

/// SPECROUTE_TEST_SEED, which `./dev test` takes from the commit; where it is not set, the seeds
/// that follow the constant's own.
[[nodiscard]] std::uint64_t given_world_seed();

/// Seed of the world `w` of `count`: world count / 2 has the given seed itself.
[[nodiscard]] inline std::uint64_t world_seed(std::uint64_t w, std::uint64_t count) {
  const std::uint64_t fixed = count / 2;
  return w < fixed ? kFixedWorldSeed + w : given_world_seed() + (w - fixed);
}

/// Says how to draw that world again.
[[nodiscard]] std::string seed_note(std::uint64_t w, std::uint64_t count);

}  // namespace specroute::sim
