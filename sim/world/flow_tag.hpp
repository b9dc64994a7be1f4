/// @file
/// What a flow carries, in the tag that comes back when it ends.
#pragma once

#include <cstdint>

#include "sim/engine/flows.hpp"

namespace specroute::sim {

struct FlowCargo {
  enum class Kind : std::uint8_t {
    contexts,  ///< `object` is a bind operation
    weights,   ///< `object` is a backend that starts
    drafts,    ///< `object` is engine index x 2 + half, `round` the half's forwarding
  };
  Kind kind = Kind::contexts;
  std::uint32_t object = 0;  ///< below 2^30
  std::uint32_t round = 0;
};

[[nodiscard]] constexpr FlowTag to_tag(FlowCargo cargo) {
  return static_cast<FlowTag>(cargo.kind) << 62U | FlowTag{cargo.object} << 32U | cargo.round;
}

[[nodiscard]] constexpr FlowCargo from_tag(FlowTag tag) {
  return {.kind = static_cast<FlowCargo::Kind>(tag >> 62U),
          .object = static_cast<std::uint32_t>(tag >> 32U) & 0x3fff'ffffU,
          .round = static_cast<std::uint32_t>(tag)};
}

}  // namespace specroute::sim
