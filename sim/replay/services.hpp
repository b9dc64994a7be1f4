/// @file
/// Stretches in which a pairing served, from the mapping's dates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <specroute/vocab/result.hpp>

#include "sim/replay/mapping.hpp"

namespace specroute::sim {

/// One stretch: what the ABI calls a pairing, whose id is never reused.
struct Service {
  std::uint64_t id = 0;
  std::size_t pairing = 0;  ///< index in the mapping
  UnixTime begin = 0;
  UnixTime end = std::numeric_limits<UnixTime>::max();
  const Succession* after = nullptr;  ///< what began it; null: the beginning, or a date of its own
  std::uint64_t from_service = 0;     ///< id of the one that it follows; 0: none
};

/// By begin. A pairing serves from `from`; without one, from the beginning of the data, unless it
/// follows another first. Faults: a succession whose first does not serve at its date, or whose
/// second does already.
[[nodiscard]] Result<std::vector<Service>> services_of(const Mapping& mapping, UnixTime beginning);

}  // namespace specroute::sim
