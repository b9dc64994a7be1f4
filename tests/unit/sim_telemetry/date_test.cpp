#include "sim/telemetry/date.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

// date -u -d 2026-11-06T08:15:00Z +%s
constexpr UnixTime kIncident = 1'793'952'900ULL * kNanosecondsPerSecond;

TEST(TelemetryDate, IsTheSameMomentInEveryZone) {
  EXPECT_EQ(parse_date("2026-11-06T08:15:00Z"), kIncident);
  EXPECT_EQ(parse_date("2026-11-06 08:15:00Z"), kIncident);
  EXPECT_EQ(parse_date("2026-11-06T09:15:00+01:00"), kIncident);
  EXPECT_EQ(parse_date("2026-11-06T02:45:00-0530"), kIncident);
  EXPECT_EQ(parse_date("2026-11-06T08:15:00.25Z"), kIncident + 250'000'000);
  EXPECT_EQ(parse_date("2026-11-06T08:15:00,000000001Z"), kIncident + 1);
  EXPECT_EQ(parse_date("2026-11-06T08:15:00.0000000019Z"), kIncident + 1);
}

TEST(TelemetryDate, IsRefusedWithoutAZoneAndWhereNoCalendarHasIt) {
  for (const char* text :
       {"", "2026-11-06T08:15:00", "2026-11-06", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-11-06T24:00:00Z", "2026-11-06T08:60:00Z", "2026-11-06T08:15:00.Z",
        "1969-12-31T23:59:59Z", "2200-01-01T00:00:00Z", "2026-11-06T08:15:00Z ", "26-11-06"})
    EXPECT_FALSE(parse_date(text)) << text;
  EXPECT_TRUE(parse_date("2028-02-29T00:00:00Z"));
  EXPECT_EQ(parse_date("1970-01-01T00:00:00Z"), 0U);
}

TEST(TelemetryDate, IsReadOffUnixSecondsDigitByDigit) {
  EXPECT_EQ(parse_unix_seconds("1793952900"), kIncident);
  EXPECT_EQ(parse_unix_seconds("1793952900.000000001"), kIncident + 1);
  EXPECT_EQ(parse_unix_seconds("0"), 0U);
  for (const char* text : {"", "-1", "1e9", "17939529001", "1.", "1 "})
    EXPECT_FALSE(parse_unix_seconds(text)) << text;
}

TEST(TelemetryDate, ComesBackAsItWasRead) {
  for (const char* text : {"2026-11-06T08:15:00Z", "2028-02-29T23:59:59.5Z",
                           "1970-01-01T00:00:00.000000001Z", "2199-12-31T23:59:59Z"})
    EXPECT_EQ(format_date(parse_date(text).value()), text);
}

}  // namespace
}  // namespace specroute::sim
