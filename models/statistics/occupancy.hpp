/// @file
/// How many are in a system over time, beside the sojourns of those who left it: Little's law.
///
/// The time integral of the number in a system equals the sum of the times spent in it, whatever
/// the arrivals, the service and the order, once everybody has left: L = lambda W. The two sides
/// are counted by different books here (the number alone, and the dates that each brings along), so
/// they agree only where nobody was lost, counted twice, or given another's date.
/// @source Little, "A proof for the queuing formula L = lambda W", Operations Research 9(3), 1961;
/// over a finite span, Jewell, Operations Research 15(6), 1967.
#pragma once

#include <cstdint>

#include <specroute/vocab/check.hpp>
#include <specroute/vocab/units.hpp>

namespace specroute::models {

/// O(1) per event. Sums are compensated (Neumaier 1974), so that the two sides of a run of 10^7
/// requests agree to about 15 digits.
class Occupancy {
 public:
  /// @param now not before the last event: dates never go back, and one that does is a bug.
  void enter(Seconds now) {
    pass(now);
    ++number_;
    ++entered_;
  }
  /// Where nobody is in, or the date goes back, that is a bug.
  /// @param since when whoever leaves had entered, as he says himself; at most `now`
  void leave(Seconds now, Seconds since) {
    check(number_ > 0, "only who is in a system can leave it");
    pass(now);
    --number_;
    sojourns_.add((now - since).count());
  }

  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] std::uint64_t entered() const { return entered_; }
  /// Integral of the number over time up to the last event.
  [[nodiscard]] Seconds area() const { return Seconds{area_.value()}; }
  /// Of those who left.
  [[nodiscard]] Seconds sojourns() const { return Seconds{sojourns_.value()}; }
  [[nodiscard]] Seconds last_event() const { return last_; }

  /// Whether nobody is left and both sides agree up to rounding: to 1e-11 of the area and 1 ns.
  [[nodiscard]] bool obeys_littles_law() const {
    const double gap = area_.value() - sojourns_.value();
    const double most = 1e-9 + 1e-11 * area_.value();
    return number_ == 0 && gap <= most && -gap <= most;
  }

 private:
  class Sum {
   public:
    void add(double value) {
      const double sum = sum_ + value;
      const bool larger = (sum_ < 0.0 ? -sum_ : sum_) >= (value < 0.0 ? -value : value);
      lost_ += larger ? (sum_ - sum) + value : (value - sum) + sum_;
      sum_ = sum;
    }
    [[nodiscard]] double value() const { return sum_ + lost_; }

   private:
    double sum_ = 0.0;
    double lost_ = 0.0;
  };

  void pass(Seconds now) {
    check(now >= last_, "dates never go back");
    area_.add(static_cast<double>(number_) * (now - last_).count());
    last_ = now;
  }

  std::uint64_t number_ = 0;
  std::uint64_t entered_ = 0;
  Seconds last_{0.0};
  Sum area_;
  Sum sojourns_;
};

}  // namespace specroute::models
