#include "sim/world/time_series.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace specroute::sim {
namespace {

TEST(TimeSeries, WritesWhatChangedSinceTheLastClose) {
  TimeSeries series(1);
  const std::string name = "t";
  const auto close = [&](double second, std::uint64_t tokens, const DraftCounts& counts) {
    series.close({.second = second,
                  .pairing = PairingId{0},
                  .target = BackendId{0},
                  .target_name = name,
                  .draft_name = "d",
                  .state = {.tokens = tokens, .running = 3, .waiting = 2, .kv_occupancy = 0.25}},
                 counts);
  };
  series.completed(BackendId{0}, true);
  close(1.0, 30, {.drafted = 20, .accepted = 10, .steps = 10});
  close(2.0, 45, {.drafted = 20, .accepted = 10, .steps = 10});
  EXPECT_EQ(series.rows(), "1,t,d,20,10,0.5,2,1,1,30,3,2,0.25\n2,t,d,0,0,,,0,0,15,3,2,0.25\n");
  const std::string header = kTimeSeriesHeader;
  const std::string first = series.rows().substr(0, series.rows().find('\n'));
  EXPECT_EQ(std::ranges::count(header, ','), std::ranges::count(first, ','));
}

// 125 targets for an hour would be 450,000 rows: 100,000 allow one in 4.5 s, so 5 s.
TEST(TimeSeries, BoundsItsRowsWhateverTheHorizon) {
  EXPECT_EQ(series_period_s(Seconds{620.0}, 8), 1U);
  EXPECT_EQ(series_period_s(Seconds{3600.0}, 125), 5U);
  EXPECT_EQ(series_period_s(Seconds{31'536'000.0}, 1), 316U);
}

}  // namespace
}  // namespace specroute::sim
