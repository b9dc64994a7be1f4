#include "models/workload/prefix_blocks.hpp"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

namespace specroute::models {
namespace {

TEST(PrefixTable, GivesChainsBackAsTheyCame) {
  PrefixTable table;
  const std::array<BlockHash, 3> first{0, 7, 8};
  const std::array<BlockHash, 2> second{0, 9};
  const PrefixHandle a = table.add(first);
  const PrefixHandle b = table.add(second);
  EXPECT_TRUE(std::ranges::equal(table.hashes(a), first));
  EXPECT_TRUE(std::ranges::equal(table.hashes(b), second));
  EXPECT_TRUE(table.hashes(PrefixHandle{}).empty());
}

TEST(PrefixTable, GivesNoTwoOwnChainsAHashInCommon) {
  PrefixTable table;
  const std::array<BlockHash, 1> traced{(BlockHash{1} << 63U) - 1};
  table.add(traced);
  const PrefixHandle a = table.add_own(2);
  const PrefixHandle b = table.add_own(1);
  EXPECT_NE(table.hashes(a)[0], table.hashes(a)[1]);
  EXPECT_NE(table.hashes(a)[1], table.hashes(b)[0]);
  EXPECT_GT(table.hashes(a)[0], traced[0]);
}

// 1,024 tokens fill two blocks; the second must be computed again for the logits of its last.
TEST(ShareableBlocks, AreFullAndLeaveATokenToCompute) {
  const PrefixHandle three{.first = 0, .blocks = 3};
  EXPECT_EQ(shareable_blocks(three, 0), 0U);
  EXPECT_EQ(shareable_blocks(three, 512), 0U);
  EXPECT_EQ(shareable_blocks(three, 513), 1U);
  EXPECT_EQ(shareable_blocks(three, 1024), 1U);
  EXPECT_EQ(shareable_blocks(three, 1025), 2U);
  EXPECT_EQ(shareable_blocks(three, 100000), 3U);
}

}  // namespace
}  // namespace specroute::models
