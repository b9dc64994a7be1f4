#include "sim/traces/wall_clock.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

// 2023-11-16 is day 19,677 of the epoch: 53 years with 13 leap days, 319 days of 2023.
TEST(WallClock, CountsTicksSinceTheEpoch) {
  const std::int64_t day = (53 * 365 + 13 + 319) * std::int64_t{86'400} * 10'000'000;
  EXPECT_EQ(wall_clock_ticks("2023-11-16 00:00:00"), day);
  EXPECT_EQ(wall_clock_ticks("2023-11-16 00:00:01.0000001"), day + 10'000'001);
  EXPECT_EQ(wall_clock_ticks("2023-11-16 00:00:00.5Z"), day + 5'000'000);
  EXPECT_EQ(wall_clock_ticks("2023-11-16 00:00:00.123456789+00:00"), day + 1'234'567);
  EXPECT_EQ(wall_clock_ticks("1970-01-01 00:00:00"), 0);
}

TEST(WallClock, RefusesWhatNoClockShows) {
  for (const char* text :
       {"", "2023-11-16", "2023-11-16T00:00:00", "2023-13-01 00:00:00", "2023-02-29 00:00:00",
        "2023-11-16 24:00:00", "2023-11-16 00:60:00", "2023-11-16 00:00:60", "2023-11-16 00:00:00.",
        "2023-11-16 00:00:00.1234567890", "1969-12-31 23:59:59", "2023-11-16 00:00:00+01:00",
        "+023-11-16 00:00:00"})
    EXPECT_FALSE(wall_clock_ticks(text).has_value()) << text;
  EXPECT_TRUE(wall_clock_ticks("2024-02-29 23:59:59").has_value());
}

}  // namespace
}  // namespace specroute::sim
