/// @file
/// What goes wrong, and when.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <specroute/vocab/id.hpp>
#include <specroute/vocab/units.hpp>

namespace specroute::sim {

struct Fault {
  enum class Kind { crash };
  Kind kind;
  BackendId backend;
  Seconds at;
  std::optional<Seconds> restart_after;
};

/// Someone sets sampling parameters on a backend; stale once the owner is gone and they are not.
struct Override {
  BackendId backend;
  std::string owner;
  Seconds from;
  Seconds owner_gone;
  std::optional<Seconds> until;
  bool replaces_block;  ///< true: the whole block, grammar included; false: a patch
  std::optional<double> temperature;
  std::optional<double> top_p;
  std::optional<std::uint32_t> top_k;
  std::optional<double> min_p;
  std::optional<std::int64_t> seed;
  std::optional<std::string> grammar;  ///< empty text: none
};

}  // namespace specroute::sim
