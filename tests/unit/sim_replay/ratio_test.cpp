#include "sim/replay/ratio.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

// SGLang's issue 11948: length 2.17, rate 0.54, four draft tokens of which one is the root.
TEST(Ratio, KnowsWhatSglangDividedByInEachVersion) {
  EXPECT_EQ(denominator_of(2.17, 0.54, 3), Denominator::drafted_and_bonus) << "2.17 / 4";
  EXPECT_EQ(denominator_of(2.17, 0.39, 3), Denominator::drafted) << "1.17 / 3";
  EXPECT_EQ(denominator_of(2.17, 0.72, 3), Denominator::steps) << "2.17 / 3";
  EXPECT_EQ(denominator_of(2.17, 0.10, 3), Denominator::unknown);
  EXPECT_EQ(denominator_of(2.17, std::nullopt, 3), Denominator::unknown);
}

TEST(Ratio, BecomesCountsOverTheDraftedTokens) {
  EngineWindow window;
  window.steps = 120;
  window.accept_length = 1.95;
  ASSERT_TRUE(derive_counts(window, 3));
  EXPECT_EQ(window.drafted, 360U);
  EXPECT_EQ(window.accepted, 114U) << "120 x 0.95";
}

TEST(Ratio, CannotAcceptMoreThanWasDrafted) {
  EngineWindow window;
  window.steps = 100;
  window.accept_length = 3.005;  // rounding, at most
  ASSERT_TRUE(derive_counts(window, 2));
  EXPECT_EQ(window.accepted, 200U);
  window.accept_length = 3.2;
  EXPECT_FALSE(derive_counts(window, 2));
  window.accept_length = 0.0;  // nothing was verified
  ASSERT_TRUE(derive_counts(window, 2));
  EXPECT_EQ(window.accepted, 0U);
}

}  // namespace
}  // namespace specroute::sim
