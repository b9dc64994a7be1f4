#include "sim/policy_test/series.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

Series series(const std::string& text) {
  const auto parsed = parse_series(text);
  return parsed ? parsed.value() : Series{-1};
}

std::string series_fault(const std::string& text) {
  const auto parsed = parse_series(text);
  return parsed ? "none" : to_string(parsed.diagnostics().front());
}

TEST(Series, RepeatsAValueAsOftenAsItSays) {
  EXPECT_EQ(series("48x3"), (Series{48, 48, 48}));
  EXPECT_EQ(series("48"), Series{48});
}

// Not as promtool, where "41+1x5" has six values.
TEST(Series, StepsUpAndDownFromItsFirstValue) {
  EXPECT_EQ(series("41+1x5"), (Series{41, 42, 43, 44, 45}));
  EXPECT_EQ(series("10-5x3"), (Series{10, 5, 0}));
}

TEST(Series, LeavesEventsOut) {
  EXPECT_EQ(series("1 _x2 2 _"), (Series{1, std::nullopt, std::nullopt, 2, std::nullopt}));
}

TEST(Series, JoinsItsPartsInOrder) {
  EXPECT_EQ(series("  41x2  94x1 "), (Series{41, 41, 94}));
}

TEST(Series, RefusesWhatIsNone) {
  for (const char* text : {"", " ", "x3", "48x", "48x0", "48x-1", "48+x3", "48+1", "-1x3", "4.5x2",
                           "_+1x2", "48x3y", "48 x3", "__", "+1x2", "48X3"})
    EXPECT_EQ(series(text), Series{-1}) << text;
}

TEST(Series, SaysWhichPartIsWrong) {
  EXPECT_EQ(series_fault("41x2 94y3"),
            "expected counts as \"48x10\", \"41+1x5\", \"_x3\" or \"48\", found \"94y3\"");
}

TEST(Series, StaysBetweenZeroAndTwoToTheForty) {
  EXPECT_EQ(series("1099511627776"), Series{1099511627776});
  EXPECT_EQ(series_fault("1099511627776+1x2"),
            "expected counts from 0 to 2^40, found \"1099511627776+1x2\"");
  EXPECT_EQ(series_fault("10-6x3"), "expected counts from 0 to 2^40, found \"10-6x3\"");
}

TEST(Series, HasAtMostAHundredThousandCounts) {
  EXPECT_EQ(series("1x100000").size(), 100'000U);
  EXPECT_EQ(series("1x100001"), Series{-1});
  EXPECT_EQ(series("1x99999 2x2"), Series{-1});
  EXPECT_EQ(series("1x1099511627776"), Series{-1});
}

}  // namespace
}  // namespace specroute::sim
