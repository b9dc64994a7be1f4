#include "models/random/threshold.hpp"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "models/random/philox.hpp"

namespace specroute::models {
namespace {

TEST(Threshold, IsExactAtZeroAndOne) {
  const std::uint32_t never = threshold_from_probability(0.0);
  const std::uint32_t always = threshold_from_probability(1.0);
  for (const std::uint32_t word :
       {0U, 1U, 2U, 0x7fffffffU, 0x80000000U, 0xfffffffeU, 0xffffffffU}) {
    EXPECT_FALSE(hits(word, never)) << word;
    EXPECT_TRUE(hits(word, always)) << word;
  }
}

// p = 1/4: 2^29 of the 2^31 draws. The last word that hits is 2^30 - 1: its draw is 2^29 - 1.
TEST(Threshold, SplitsTheWordsAtTheProbability) {
  const std::uint32_t quarter = threshold_from_probability(0.25);
  EXPECT_EQ(quarter, 1U << 29U);
  EXPECT_TRUE(hits((1U << 30U) - 1, quarter));
  EXPECT_FALSE(hits(1U << 30U, quarter));
}

TEST(Threshold, RoundTripsWithinHalfAStep) {
  for (const double p : {1e-6, 3.3e-4, 0.1, 0.534, 0.959, 0.999999})
    EXPECT_NEAR(probability_from_threshold(threshold_from_probability(p)), p, 0x1p-32);
}

// Hits among n words are binomial: standard error sqrt(p (1 - p) / n); five of them allowed.
TEST(Threshold, HitsAsOftenAsTheProbabilitySays) {
  constexpr int kWords = 400'000;
  const double p = 0.3;
  int count = 0;
  for (std::uint32_t i = 0; i < kWords / 4; ++i)
    for (const std::uint32_t word : philox_block({3, 4}, {i, 0, 0, 0}))
      count += hits(word, threshold_from_probability(p)) ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(count) / kWords, p, 5.0 * std::sqrt(p * (1 - p) / kWords));
}

}  // namespace
}  // namespace specroute::models
