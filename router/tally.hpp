/// @file
/// What a gate counts over many windows of one (pairing, profile): 128 bytes, integers only, that
/// each gate reads in its own way.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

namespace specroute::router {

using Tally = std::array<std::uint64_t, 16>;

/// The tally as a gate's own record, which is plain bytes of the same size or less.
template <class Record>
Record read_tally(const Tally& tally) {
  static_assert(std::is_trivially_copyable_v<Record> && sizeof(Record) == sizeof(Tally));
  return std::bit_cast<Record>(tally);
}
template <class Record>
Tally write_tally(const Record& record) {
  static_assert(std::is_trivially_copyable_v<Record> && sizeof(Record) == sizeof(Tally));
  return std::bit_cast<Tally>(record);
}

/// Of `latency_tiebreak`.
struct LatencyTally {
  std::uint64_t completions = 0;
  std::uint64_t sum_us = 0;     ///< of completions times the window's median, microseconds
  std::uint64_t before_ns = 0;  ///< mean of the pairing that was replaced; 0: unknown
  std::array<std::uint64_t, 13> unused{};

  [[nodiscard]] std::uint64_t mean_ns() const {
    return completions == 0 ? 0 : sum_us / completions * 1000;
  }
};

/// Of `bandit`: an arm of a multi-armed bandit, in the first words where they stand, since a copy
/// of all 128 bytes at each window costs more than what is done with them.
inline std::uint64_t plays_of(const Tally& arm) {
  return arm[0];
}
/// Of the rates, parts per million.
inline std::uint64_t reward_of(const Tally& arm) {
  return arm[1];
}
inline void play(Tally& arm, std::uint64_t rate_ppm) {
  arm[0] += 1;
  arm[1] += rate_ppm;
}

}  // namespace specroute::router
