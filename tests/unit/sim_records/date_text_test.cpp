#include "sim/records/date_text.hpp"

#include <gtest/gtest.h>

namespace specroute::sim {
namespace {

TEST(SecondsText, HasAsManyDecimalsAsItNeeds) {
  EXPECT_EQ(seconds_text(0), "0");
  EXPECT_EQ(seconds_text(12'000'000'000), "12");
  EXPECT_EQ(seconds_text(250'000'000), "0.25");
  EXPECT_EQ(seconds_text(3'000'000'001), "3.000000001");
}

// A double has 53 bits: it cannot tell the last two of these apart.
TEST(NanosecondsOf, ReadsDigitByDigit) {
  EXPECT_EQ(nanoseconds_of("9007199.254740993"), 9'007'199'254'740'993U);
  EXPECT_EQ(nanoseconds_of("18446744073.709551614"), UINT64_MAX - 1);
  EXPECT_EQ(nanoseconds_of("18446744073.709551615"), UINT64_MAX);
}

TEST(NanosecondsOf, TakesExponents) {
  EXPECT_EQ(nanoseconds_of("1.5e-3"), 1'500'000U);
  EXPECT_EQ(nanoseconds_of("2E3"), 2'000'000'000'000U);
  EXPECT_EQ(nanoseconds_of("2e+1"), 20'000'000'000U);
  EXPECT_EQ(nanoseconds_of("0e999"), 0U);
  EXPECT_EQ(nanoseconds_of("1e-400"), 0U);
}

// What a program of doubles makes of 12.1 s.
TEST(NanosecondsOf, RoundsWhatIsFinerToTheNearest) {
  EXPECT_EQ(nanoseconds_of("12.100000000000001"), 12'100'000'000U);
  EXPECT_EQ(nanoseconds_of("12.099999999999999"), 12'100'000'000U);
  EXPECT_EQ(nanoseconds_of("0.0000000005"), 1U);
  EXPECT_EQ(nanoseconds_of("0.00000000049"), 0U);
}

TEST(NanosecondsOf, RefusesWhatIsNoDate) {
  EXPECT_EQ(nanoseconds_of("-1"), std::nullopt);
  EXPECT_EQ(nanoseconds_of("18446744073.709551616"), std::nullopt);
  EXPECT_EQ(nanoseconds_of("18446744073.7095516155"), std::nullopt);
  EXPECT_EQ(nanoseconds_of("1e99"), std::nullopt);
  EXPECT_EQ(nanoseconds_of(""), std::nullopt);
  EXPECT_EQ(nanoseconds_of("1s"), std::nullopt);
  EXPECT_EQ(nanoseconds_of("1.2.3"), std::nullopt);
}

}  // namespace
}  // namespace specroute::sim
