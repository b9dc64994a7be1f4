/// @file
/// Acceptance as counts. Ratios are compared exactly, by cross-multiplication; there is no
/// floating point in a policy's state.
#pragma once

#include <cstdint>

namespace specroute::router {

__extension__ using Wide = __int128;

/// Drafted tokens and those of them that were accepted (accepted <= drafted).
struct Counts {
  std::uint64_t drafted = 0;
  std::uint64_t accepted = 0;

  /// Adds; beyond 2^49 drafted both halve, which keeps the ratio and room for the products below.
  void add(std::uint64_t more_drafted, std::uint64_t more_accepted) {
    drafted += more_drafted;
    accepted += more_accepted;
    if (drafted >= (std::uint64_t{1} << 49U)) {
      drafted /= 2;
      accepted /= 2;
    }
  }
  void add(const Counts& other) { add(other.drafted, other.accepted); }
  [[nodiscard]] bool empty() const { return drafted == 0; }
};

/// accepted / drafted in parts per million, rounded down; 0 for no counts.
inline std::int64_t rate_ppm(const Counts& counts) {
  if (counts.empty()) return 0;
  // A million times fewer than 2^44 fits 64 bits, whose division takes a fraction of the time.
  if (counts.drafted < (std::uint64_t{1} << 44U))
    return static_cast<std::int64_t>(counts.accepted * 1'000'000 / counts.drafted);
  return static_cast<std::int64_t>(Wide{counts.accepted} * 1'000'000 / Wide{counts.drafted});
}

/// rate(post) - rate(pre) > threshold, exactly. Neither may be empty.
/// a/b - c/d > t/10^6  <=>  (a*d - c*b) * 10^6 > t*b*d; the products stay below 2^120.
inline bool rises_beyond(const Counts& post, const Counts& pre, std::int64_t threshold_ppm) {
  const Wide rise =
      Wide{post.accepted} * Wide{pre.drafted} - Wide{pre.accepted} * Wide{post.drafted};
  return rise * 1'000'000 > Wide{threshold_ppm} * Wide{post.drafted} * Wide{pre.drafted};
}

}  // namespace specroute::router
