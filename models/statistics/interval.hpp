/// @file
/// Mean, sample standard deviation, and Student's 95 % interval over independent replications.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace specroute::models {

/// What a handful of replications say about a mean. Absent means undefined, never 0.
struct Interval {
  std::size_t count = 0;
  std::optional<double> mean;        ///< absent for no values
  std::optional<double> deviation;   ///< sample standard deviation (n - 1); absent below two values
  std::optional<double> half_width;  ///< t(0.975, n - 1) deviation / sqrt(n); absent below two

  /// Whether `value` lies within mean +- half_width; false where there is no interval.
  [[nodiscard]] bool covers(double value) const;
};

/// Interval of the mean of `values`, which are independent and about normal (means over a run).
/// Two passes, so that a small spread on a large mean keeps its digits; sums run in order.
/// For a paired comparison, pass the differences: 0 outside the interval is a difference at 5 %.
/// @source Student, "The probable error of a mean", Biometrika 6(1), 1908.
[[nodiscard]] Interval student_interval(std::span<const double> values);

/// The two-sided 95 % critical value: the 0.975 quantile of Student's t.
/// A table for 1 to 100 degrees of freedom, the expansion in 1 / degrees beyond (error < 1e-10):
/// no libm, so a result has the same bits on every machine.
/// @param degrees degrees of freedom, >= 1.
/// @source table: Boost.Math 1.74 students_t, 15 digits (a test recomputes it); expansion:
/// Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.5.
[[nodiscard]] double student_critical_value(std::size_t degrees);

}  // namespace specroute::models
