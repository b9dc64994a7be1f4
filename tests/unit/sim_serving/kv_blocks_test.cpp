#include "sim/serving/kv_blocks.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

// ceil(n / 16): 0 -> 0, 1..16 -> 1, 17 -> 2.
TEST(KvBlocks, RoundsTokensUpToWholeBlocks) {
  const KvBlocks kv(10, 16);
  EXPECT_EQ(kv.blocks_for(0), 0U);
  EXPECT_EQ(kv.blocks_for(1), 1U);
  EXPECT_EQ(kv.blocks_for(16), 1U);
  EXPECT_EQ(kv.blocks_for(17), 2U);
  EXPECT_TRUE(kv.could_ever_hold(160));
  EXPECT_FALSE(kv.could_ever_hold(161));
}

TEST(KvBlocks, RefusesWhatDoesNotFitAndTakesNothing) {
  KvBlocks kv(3, 16);
  EXPECT_TRUE(kv.take(kv.blocks_for(20)));
  EXPECT_FALSE(kv.take(kv.blocks_for(17)));
  EXPECT_EQ(kv.allocated(), 2U);
  EXPECT_TRUE(kv.take(kv.blocks_for(16)));
  EXPECT_EQ(kv.allocated(), kv.total());
}

TEST(KvBlocks, ReturnsWhatWasReserved) {
  KvBlocks kv(8, 16);
  EXPECT_TRUE(kv.take(kv.blocks_for(33)));
  EXPECT_TRUE(kv.take(kv.blocks_for(16)));
  kv.give_back(kv.blocks_for(33));
  EXPECT_EQ(kv.allocated(), 1U);
  EXPECT_EQ(kv.peak(), 4U);
  kv.release_all();
  EXPECT_EQ(kv.allocated(), 0U);
}

// 8 blocks: 3 taken, 2 of them retired to idle; idle ones are not free until they are evicted.
TEST(KvBlocks, KeepsIdleBlocksApartFromFreeOnes) {
  KvBlocks kv(8, 16);
  EXPECT_TRUE(kv.take(3));
  kv.retire(2);
  EXPECT_EQ(kv.allocated(), 1U);
  EXPECT_EQ(kv.idle(), 2U);
  EXPECT_EQ(kv.free(), 5U);
  EXPECT_FALSE(kv.take(6));
  kv.evict(1);
  EXPECT_TRUE(kv.take(6));
  kv.revive(1);
  EXPECT_EQ(kv.allocated(), 8U);
  EXPECT_EQ(kv.idle(), 0U);
  EXPECT_EQ(kv.peak(), 8U);
}

TEST(KvBlocksDeathTest, EvictingWhatIsNotIdleIsABug) {
  KvBlocks kv(8, 16);
  EXPECT_TRUE(kv.take(3));
  EXPECT_DEATH(kv.evict(1), "only idle KV blocks");
}

TEST(KvBlocksDeathTest, ReleasingWhatWasNeverReservedIsABug) {
  KvBlocks kv(8, 16);
  EXPECT_TRUE(kv.take(kv.blocks_for(16)));
  EXPECT_DEATH(kv.give_back(kv.blocks_for(17)), "only KV blocks that were taken");
}

}  // namespace
}  // namespace specroute::sim
