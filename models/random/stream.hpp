/// @file
/// One seed per run, one named stream per purpose and entity.
///
/// `seed.stream("arrivals", tenant)` is the same sequence whatever else the run draws, so a change
/// of policy cannot change the workload, and two gates compared on one seed see the same luck.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "models/random/philox.hpp"

namespace specroute::models {

/// A sequence of uniform 64-bit words: a std::uniform_random_bit_generator.
///
/// Word n is half (n mod 2) of Philox block floor(n / 2); the entity fills the upper 64 bits of the
/// counter, so streams of one purpose never overlap. Copying a stream copies its position.
class Stream {
 public:
  using result_type = std::uint64_t;

  Stream(StreamKey key, std::uint64_t entity) : key_(key), entity_(entity) {}

  [[nodiscard]] static constexpr result_type min() { return 0; }
  [[nodiscard]] static constexpr result_type max() {
    return std::numeric_limits<result_type>::max();
  }

  /// The next 64 uniform bits.
  result_type operator()() {
    if (position_ % 2 == 0) refill();
    return words_[position_++ % 2];
  }

  /// Uniform on [0, 1): k / 2^53, k of 53 bits. Can be 0, cannot be 1.
  double uniform() { return static_cast<double>((*this)() >> 11U) * 0x1p-53; }

  /// Uniform on (0, 1): (k + 1/2) / 2^52, k of 52 bits, exactly. For functions infinite at an end.
  double uniform_open() { return (static_cast<double>((*this)() >> 12U) + 0.5) * 0x1p-52; }

 private:
  void refill();

  StreamKey key_;
  std::uint64_t entity_;
  std::uint64_t position_ = 0;
  std::uint64_t words_[2] = {};
};

/// The seed of a run; every random number of the run follows from it.
///
/// Keys are a 64-bit hash of (seed, purpose, entity): SplitMix64's finaliser chained over the seed,
/// the FNV-1a hash of the purpose's bytes, and the entity. Among n keys two collide with
/// probability about n^2 / 2^65: 3e-14 for a thousand purposes.
/// @source Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014;
/// Fowler, Noll and Vo, FNV-1a, 64 bits.
struct Seed {
  std::uint64_t value = 0;

  /// A sequential stream, for arrivals, lengths, faults. `purpose` names what is drawn; `entity`
  /// says for whom. Streams and keys of one purpose are unrelated.
  [[nodiscard]] Stream stream(std::string_view purpose, std::uint64_t entity = 0) const;

  /// A key for `philox_block`, where the caller builds the counter: the hot loop.
  [[nodiscard]] StreamKey key(std::string_view purpose, std::uint64_t entity = 0) const;
};

}  // namespace specroute::models
