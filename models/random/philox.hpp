/// @file
/// Philox4x32-10: a counter-based generator. A draw is a pure function of (key, counter), so a
/// sequence's luck depends on who it is and which token it is at, never on who drew before it.
///
/// @source Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011,
/// section 3.3 and table 2; held equal to Random123 by a test.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace specroute::models {

/// The key of one random function, as `Seed::key` makes it: 64 bits in two words.
struct StreamKey {
  std::uint32_t word0 = 0;
  std::uint32_t word1 = 0;
  constexpr bool operator==(const StreamKey&) const = default;
};

/// 128 bits: what the generator takes as a counter, and what it gives for one.
using PhiloxBlock = std::array<std::uint32_t, 4>;

inline constexpr std::uint32_t kPhiloxMultiplier0 = 0xD2511F53U;
inline constexpr std::uint32_t kPhiloxMultiplier1 = 0xCD9E8D57U;
inline constexpr std::uint32_t kPhiloxWeyl0 = 0x9E3779B9U;  // the golden ratio
inline constexpr std::uint32_t kPhiloxWeyl1 = 0xBB67AE85U;  // the square root of 3, less one
inline constexpr int kPhiloxRounds = 10;

/// Four independent uniform 32-bit words for one 128-bit counter. Ten rounds; about 7 ns.
[[nodiscard]] constexpr PhiloxBlock philox_block(StreamKey key, PhiloxBlock counter) {
  for (int round = 0; round < kPhiloxRounds; ++round) {
    const std::uint64_t product0 = std::uint64_t{kPhiloxMultiplier0} * counter[0];
    const std::uint64_t product1 = std::uint64_t{kPhiloxMultiplier1} * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32U) ^ counter[1] ^ key.word0,
               static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32U) ^ counter[3] ^ key.word1,
               static_cast<std::uint32_t>(product0)};
    key.word0 += kPhiloxWeyl0;
    key.word1 += kPhiloxWeyl1;
  }
  return counter;
}

/// The draw of one entity: uniform over the multiples of 2^-32 in [0, 1).
/// @param id whose draw it is; `a` and `b` tell its draws under one key apart
[[nodiscard]] constexpr double uniform_of(StreamKey key, std::uint64_t id, std::uint32_t a = 0,
                                          std::uint32_t b = 0) {
  const PhiloxBlock words = philox_block(
      key, {static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id >> 32U), a, b});
  return static_cast<double>(words[0]) * 0x1p-32;
}

/// Counters of a batch, column by column: entry i is {word0[i], word1[i], word2[i], word3}.
/// The hot loop puts the request id in words 0 and 1 and the token index in word 2.
struct PhiloxCounters {
  const std::uint32_t* word0;
  const std::uint32_t* word1;
  const std::uint32_t* word2;
  std::uint32_t word3;
};

/// Where a batch's words go, column by column. Columns must not overlap the counters.
struct PhiloxWords {
  std::uint32_t* word0;
  std::uint32_t* word1;
  std::uint32_t* word2;
  std::uint32_t* word3;
};

/// `philox_block` over `count` counters, vectorised for the CPU at hand: integers only, so the bits
/// are the same on every machine. Columns hold at least `count` entries.
void philox_batch(StreamKey key, const PhiloxCounters& counters, const PhiloxWords& words,
                  std::size_t count);

}  // namespace specroute::models
