#include <gtest/gtest.h>

#include "models/devices/token_table.hpp"

namespace specroute::models {
namespace {

TEST(TokenTable, IsZeroWithoutAFunction) {
  EXPECT_EQ(TokenTable().at(0.0), 0.0);
  EXPECT_EQ(TokenTable().at(1e6), 0.0);
}

// A straight line survives tabulation everywhere, beyond the last cell (2^18 tokens) too.
TEST(TokenTable, IsExactForALine) {
  const TokenTable table([](double tokens) { return 3.0 + 2.0 * tokens; });
  for (const double tokens : {0.0, 0.5, 1.0, 7.0, 63.0, 64.0, 1000.0, 262'143.0, 1e6})
    EXPECT_NEAR(table.at(tokens), 3.0 + 2.0 * tokens, 1e-9 * (1.0 + tokens)) << tokens;
}

// 32 cells an octave: a square is off by at most (1 / 64)^2 of itself between cell ends.
TEST(TokenTable, FollowsACurveWithinACell) {
  const TokenTable table([](double tokens) { return (1.0 + tokens) * (1.0 + tokens); });
  for (double tokens = 0.0; tokens < 5000.0; tokens += 0.37) {
    const double exact = (1.0 + tokens) * (1.0 + tokens);
    EXPECT_NEAR(table.at(tokens) / exact, 1.0, 1.0 / (64.0 * 64.0)) << tokens;
  }
}

TEST(TokenTable, IsSharedByCopies) {
  const TokenTable table([](double tokens) { return tokens; });
  const TokenTable copy = table;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(copy.at(12.0), table.at(12.0));
}

}  // namespace
}  // namespace specroute::models
