#include "sim/serving/prefix_cache.hpp"

#include <array>

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

using Chain = std::vector<models::BlockHash>;

void compute(PrefixCache& cache, const Chain& chain) {
  for (const models::BlockHash hash : chain) (void)cache.insert(hash);
}

TEST(PrefixCache, MatchesTheBeginningOfAChain) {
  PrefixCache cache;
  compute(cache, {1, 2, 3});
  EXPECT_EQ(cache.match(Chain{1, 2, 9, 3}), 2U);
  EXPECT_EQ(cache.match(Chain{9, 1}), 0U);
  EXPECT_EQ(cache.match(Chain{1, 2, 3, 4}), 3U);
}

// Two sequences share 1 and 2; the block is idle only when both have left.
TEST(PrefixCache, KeepsABlockInUseWhileAnySequenceHasIt) {
  PrefixCache cache;
  const Chain chain{1, 2};
  compute(cache, chain);
  EXPECT_EQ(cache.pin(chain), 0U);
  EXPECT_EQ(cache.unpin(chain), 0U);
  EXPECT_FALSE(cache.evict().has_value());
  EXPECT_EQ(cache.unpin(chain), 2U);
  EXPECT_EQ(cache.idle(), 2U);
  EXPECT_EQ(cache.count_idle(chain), 2U);
  EXPECT_EQ(cache.pin(Chain{1}), 1U);
  EXPECT_EQ(cache.idle(), 1U);
}

// Last use: 1-2 first, then 5-6, then 1 alone. So 2 goes first, then the end of 5-6, then 5,
// then 1.
TEST(PrefixCache, GivesUpTheLeastRecentlyUsedAndEndsBeforeBeginnings) {
  PrefixCache cache;
  const Chain first{1, 2};
  const Chain second{5, 6};
  compute(cache, first);
  compute(cache, second);
  cache.unpin(first);
  cache.unpin(second);
  cache.pin(Chain{1});
  cache.unpin(Chain{1});
  for (const models::BlockHash expected : {2U, 6U, 5U, 1U}) EXPECT_EQ(cache.evict(), expected);
  EXPECT_FALSE(cache.evict().has_value());
  EXPECT_EQ(cache.size(), 0U);
}

TEST(PrefixCache, KeepsOneCopyOfWhatTwoSequencesComputed) {
  PrefixCache cache;
  EXPECT_TRUE(cache.insert(4).is_new);
  const auto again = cache.insert(4);
  EXPECT_FALSE(again.is_new);
  EXPECT_FALSE(again.was_idle);
  cache.unpin(Chain{4});
  cache.unpin(Chain{4});
  EXPECT_TRUE(cache.insert(4).was_idle);
  EXPECT_EQ(cache.size(), 1U);
}

TEST(PrefixCacheDeathTest, LettingGoOfWhatNobodyHoldsIsABug) {
  PrefixCache cache;
  compute(cache, {1});
  cache.unpin(Chain{1});
  EXPECT_DEATH(cache.unpin(Chain{1}), "pinned");
}

}  // namespace
}  // namespace specroute::sim
