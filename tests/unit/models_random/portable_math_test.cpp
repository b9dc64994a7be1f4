#include "models/random/portable_math.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "models/random/stream.hpp"

namespace specroute::models {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// libm in long double is the reference; 1.0 ULP is SLEEF's promise, half an ULP more the rounding
// of the reference to double.
void expect_within_one_ulp(double got, long double reference, double argument) {
  const double rounded = static_cast<double>(reference);
  const double ulp = std::nextafter(std::fabs(rounded), kInfinity) - std::fabs(rounded);
  EXPECT_LE(std::fabs(static_cast<long double>(got) - reference), 1.0L * ulp) << argument;
}

TEST(PortableMath, StaysWithinOneUlpOfLongDouble) {
  auto stream = Seed{3}.stream("portable math");
  for (int i = 0; i < 20'000; ++i) {
    const double x = 60.0 * (stream.uniform() - 0.5);
    const double positive = std::ldexp(stream.uniform_open(), static_cast<int>(x));
    const double unit = stream.uniform();
    const long double wide = x;
    expect_within_one_ulp(portable::exp(x), std::exp(wide), x);
    expect_within_one_ulp(portable::exp2(x), std::exp2(wide), x);
    expect_within_one_ulp(portable::expm1(x), std::expm1(wide), x);
    expect_within_one_ulp(portable::sin(x), std::sin(wide), x);
    expect_within_one_ulp(portable::cos(x), std::cos(wide), x);
    expect_within_one_ulp(portable::log(positive), std::log(static_cast<long double>(positive)),
                          positive);
    expect_within_one_ulp(portable::log1p(-unit), std::log1p(-static_cast<long double>(unit)),
                          unit);
    expect_within_one_ulp(portable::pow(positive, unit),
                          std::pow(static_cast<long double>(positive), unit), positive);
  }
}

TEST(PortableMath, KeepsTheSpecialValuesOfC99) {
  EXPECT_EQ(portable::exp(-kInfinity), 0.0);
  EXPECT_EQ(portable::exp(0.0), 1.0);
  EXPECT_EQ(portable::exp(kInfinity), kInfinity);
  EXPECT_EQ(portable::log(0.0), -kInfinity);
  EXPECT_EQ(portable::log(1.0), 0.0);
  EXPECT_EQ(portable::pow(0.0, 0.0), 1.0);
  EXPECT_EQ(portable::log1p(-1.0), -kInfinity);
  EXPECT_TRUE(std::isnan(portable::log(-1.0)));
}

TEST(PortableMath, BatchHasTheBitsOfTheScalar) {
  auto stream = Seed{4}.stream("portable math");
  for (std::size_t count : {0U, 1U, 2U, 3U, 7U, 8U, 9U, 64U, 1001U}) {
    std::vector<double> values(count);
    for (double& value : values) value = -800.0 * stream.uniform();
    std::vector<double> batch = values;
    portable::exp_in_place(batch);
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(batch[i]),
                std::bit_cast<std::uint64_t>(portable::exp(values[i])))
          << values[i];
    for (double& value : values) value = 1e-300 + stream.uniform() * stream.uniform();
    batch = values;
    portable::log_in_place(batch);
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(batch[i]),
                std::bit_cast<std::uint64_t>(portable::log(values[i])))
          << values[i];
  }
}

}  // namespace
}  // namespace specroute::models
