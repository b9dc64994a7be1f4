/// @file
/// Counts as metrics say them.
#pragma once

#include <cstdint>
#include <optional>

namespace specroute::sim {

inline double as_double(std::uint64_t count) {
  return static_cast<double>(count);
}

/// part / whole; nothing where the whole is 0.
inline std::optional<double> share(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return as_double(part) / as_double(whole);
}

}  // namespace specroute::sim
