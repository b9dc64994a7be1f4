/// @file
/// Units are types: a number that has a dimension never travels as a bare double.
///
/// Time is `Seconds`, a std::chrono duration over double, because the engine's clock is a double.
/// Everything else is `Quantity<Unit>`; bare `double` is left for ratios and probabilities.
#pragma once

#include <chrono>
#include <compare>

namespace specroute {

/// A span of simulated time, or a date counted from the start of the run.
using Seconds = std::chrono::duration<double>;

/// A double that remembers its unit. Quantities of one unit add, subtract, compare and scale;
/// the ratio of two is a bare double. Cross-unit arithmetic is spelled out below, case by case.
template <class Unit>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double value) : value_(value) {}
  [[nodiscard]] constexpr double value() const { return value_; }

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity other) { return *this = *this + other; }
  constexpr Quantity& operator-=(Quantity other) { return *this = *this - other; }
  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity{a.value_ + b.value_};
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity{a.value_ - b.value_};
  }
  friend constexpr Quantity operator*(Quantity a, double factor) {
    return Quantity{a.value_ * factor};
  }
  friend constexpr Quantity operator*(double factor, Quantity a) { return a * factor; }
  friend constexpr Quantity operator/(Quantity a, double divisor) {
    return Quantity{a.value_ / divisor};
  }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value_ / b.value_; }

 private:
  double value_ = 0.0;
};

using Bytes = Quantity<struct BytesUnit>;
using BytesPerSecond = Quantity<struct BytesPerSecondUnit>;
using Flops = Quantity<struct FlopsUnit>;
using FlopsPerSecond = Quantity<struct FlopsPerSecondUnit>;
using Tokens = Quantity<struct TokensUnit>;
using Watts = Quantity<struct WattsUnit>;

constexpr Seconds operator/(Bytes amount, BytesPerSecond rate) {
  return Seconds{amount.value() / rate.value()};
}
constexpr Seconds operator/(Flops amount, FlopsPerSecond rate) {
  return Seconds{amount.value() / rate.value()};
}

}  // namespace specroute
