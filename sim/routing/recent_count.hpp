/// @file
/// A count over the latest whole seconds.
#pragma once

#include <cstdint>
#include <vector>

#include <specroute/vocab/units.hpp>

namespace specroute::sim {

class RecentCount {
 public:
  /// @param window_s whole seconds that count, the present one included; at least one.
  explicit RecentCount(std::uint32_t window_s) : slots_(window_s) {}
  /// @param now never before an earlier one.
  void add(Seconds now);
  void clear();
  [[nodiscard]] std::uint64_t at(Seconds now) const;

 private:
  struct Slot {
    std::int64_t second = -1;
    std::uint64_t count = 0;
  };
  std::vector<Slot> slots_;  ///< by second, modulo their number
};

}  // namespace specroute::sim
