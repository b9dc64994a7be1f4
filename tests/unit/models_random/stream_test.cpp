#include "models/random/stream.hpp"

#include <cmath>
#include <random>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace specroute::models {
namespace {

static_assert(std::uniform_random_bit_generator<Stream>);

TEST(Stream, RepeatsForTheSameSeedPurposeAndEntity) {
  auto first = Seed{42}.stream("arrivals", 3);
  auto second = Seed{42}.stream("arrivals", 3);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(first(), second());
}

TEST(Stream, DiffersWhereSeedPurposeOrEntityDiffer) {
  const auto head = [](Stream stream) { return stream(); };
  std::set<std::uint64_t> heads;
  std::size_t streams = 0;
  for (const std::uint64_t seed : {0U, 1U, 2U})
    for (const auto* purpose : {"arrivals", "lengths", "length", "", "a"})
      for (const std::uint64_t entity : {0U, 1U, 2U, 1000U}) {
        heads.insert(head(Seed{seed}.stream(purpose, entity)));
        ++streams;
      }
  EXPECT_EQ(heads.size(), streams);
}

TEST(Stream, KeysOfFiftyThousandEntitiesAreDistinctAndUnlikeTheStreams) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> keys;
  for (std::uint64_t entity = 0; entity < 50'000; ++entity) {
    const auto key = Seed{7}.key("verification", entity);
    keys.emplace(key.word0, key.word1);
  }
  EXPECT_EQ(keys.size(), 50'000U);
  auto stream = Seed{7}.stream("verification");
  const auto block = philox_block(Seed{7}.key("verification"), {0, 0, 0, 0});
  EXPECT_NE(stream(), std::uint64_t{block[1]} << 32U | block[0]);
}

// These words pin the mixing: a change of it changes every result ever published.
TEST(Stream, KeepsItsPublishedWords) {
  auto stream = Seed{1}.stream("arrivals");
  const std::string got =
      std::to_string(stream()) + " " + std::to_string(stream()) + " " + std::to_string(stream());
  EXPECT_EQ(got, "10668473462144709575 4488491043846528848 15011419666946040633");
}

// The mean of n uniforms has standard error sqrt(1/12/n), their variance about sqrt(1/180/n):
// (E[(u-1/2)^4] - 1/144 = 1/80 - 1/144 = 1/180). Five errors: one false alarm in 1.7 million.
TEST(Stream, UniformHasTheMomentsOfAUniform) {
  auto stream = Seed{11}.stream("test");
  constexpr int kUniforms = 200'000;
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < kUniforms; ++i) {
    const double u = stream.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u - 0.5;
    squares += (u - 0.5) * (u - 0.5);
  }
  EXPECT_NEAR(sum / kUniforms, 0.0, 5.0 * std::sqrt(1.0 / 12.0 / kUniforms));
  EXPECT_NEAR(squares / kUniforms, 1.0 / 12.0, 5.0 * std::sqrt(1.0 / 180.0 / kUniforms));
}

TEST(Stream, OpenUniformNeverTouchesTheEnds) {
  // The extreme words: k = 0 gives 2^-53, k = 2^52 - 1 gives 1 - 2^-53, both representable.
  EXPECT_GT((0.0 + 0.5) * 0x1p-52, 0.0);
  EXPECT_LT((0x1p52 - 1.0 + 0.5) * 0x1p-52, 1.0);
  auto stream = Seed{12}.stream("test");
  for (int i = 0; i < 100'000; ++i) {
    const double u = stream.uniform_open();
    ASSERT_TRUE(u > 0.0 && u < 1.0);
  }
}

}  // namespace
}  // namespace specroute::models
