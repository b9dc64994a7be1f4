#include "models/random/philox.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <Random123/philox.h>
#include <gtest/gtest.h>

namespace specroute::models {
namespace {

struct KnownAnswer {
  PhiloxBlock counter;
  StreamKey key;
  PhiloxBlock expected;
};

// The three vectors that Random123 publishes for philox4x32 with 10 rounds: zeros, ones, pi.
constexpr std::array<KnownAnswer, 3> kKnownAnswers = {{
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}},
    {{0xffffffffU, 0xffffffffU, 0xffffffffU, 0xffffffffU},
     {0xffffffffU, 0xffffffffU},
     {0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}},
    {{0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U},
     {0xa4093822U, 0x299f31d0U},
     {0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}},
}};

TEST(Philox, GivesThePublishedKnownAnswers) {
  for (const auto& known : kKnownAnswers)
    EXPECT_EQ(philox_block(known.key, known.counter), known.expected);
}

TEST(Philox, EqualsRandom123OnManyCounters) {
  PhiloxBlock counter = {1, 2, 3, 4};
  StreamKey key{5, 6};
  for (int i = 0; i < 10'000; ++i) {
    const r123::Philox4x32::ctr_type reference_counter = {
        {counter[0], counter[1], counter[2], counter[3]}};
    const r123::Philox4x32::key_type reference_key = {{key.word0, key.word1}};
    const auto reference = r123::Philox4x32{}(reference_counter, reference_key);
    const PhiloxBlock ours = philox_block(key, counter);
    for (std::size_t word = 0; word < 4; ++word) ASSERT_EQ(ours[word], reference[word]) << i;
    counter = ours;  // walk through counters and keys that have no pattern
    key = {ours[1] ^ ours[3], ours[0] + ours[2]};
  }
}

TEST(Philox, BatchEqualsBlocksAtEveryLength) {
  constexpr std::size_t kLongest = 67;  // past every vector width, with a tail
  std::array<std::vector<std::uint32_t>, 3> in;
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < kLongest; ++i)
      in[c].push_back(static_cast<std::uint32_t>(i * 2654435761U + c * 97U));
  const StreamKey key{0xdeadbeefU, 0x12345678U};
  for (std::size_t count = 0; count <= kLongest; ++count) {
    std::array<std::vector<std::uint32_t>, 4> out;
    for (auto& column : out) column.assign(kLongest, 0xabababab);
    philox_batch(key, {in[0].data(), in[1].data(), in[2].data(), 9},
                 {out[0].data(), out[1].data(), out[2].data(), out[3].data()}, count);
    for (std::size_t i = 0; i < kLongest; ++i) {
      const PhiloxBlock expected =
          i < count ? philox_block(key, {in[0][i], in[1][i], in[2][i], 9})
                    : PhiloxBlock{0xabababab, 0xabababab, 0xabababab, 0xabababab};
      const PhiloxBlock got = {out[0][i], out[1][i], out[2][i], out[3][i]};
      ASSERT_EQ(got, expected) << "entry " << i << " of " << count;
    }
  }
}

}  // namespace
}  // namespace specroute::models
