/// @file
/// Identities: an index that cannot be mistaken for another entity's index, or for a count.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace specroute {

/// Position of an entity in the table that owns it. Ids are dense from 0 in the order of the
/// scenario file, so "lowest id first" is a deterministic tie-break everywhere.
template <class Entity>
struct Id {
  std::uint32_t value = kNone;

  static constexpr std::uint32_t kNone = 0xffff'ffffU;
  [[nodiscard]] constexpr bool exists() const { return value != kNone; }
  [[nodiscard]] constexpr std::size_t index() const { return value; }
  constexpr auto operator<=>(const Id&) const = default;
};

using BackendId = Id<struct BackendEntity>;
using PairingId = Id<struct PairingEntity>;
using ProfileId = Id<struct ProfileEntity>;
using ClassId = Id<struct ClassEntity>;
using PoolId = Id<struct PoolEntity>;

/// Ordinal of a request in arrival order over the whole run; 64 bits, never reused.
struct RequestId {
  std::uint64_t value = 0;
  constexpr auto operator<=>(const RequestId&) const = default;
};

}  // namespace specroute
