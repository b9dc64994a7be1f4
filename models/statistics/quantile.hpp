/// @file
/// Quantiles of a stream of non-negative numbers in bounded memory.
///
/// Up to `kExactCount` values are kept and answered exactly. Beyond, each value is counted in a
/// bucket: 128 buckets per power of two, their index read from the bits of the double (exponent and
/// upper 7 bits of the fraction), so that adding needs no logarithm and no two machines disagree.
///
/// Relative error of a quantile beyond that count: at most 1/256 (0.4 %) for values within
/// [2^-30, 2^30) (a nanosecond to 34 years, in seconds); smaller values are reported as the least
/// value seen, larger ones as the greatest. The answer depends on the multiset of values alone, not
/// on their order or on how partial sketches were merged. Memory: 32 KiB, then 60 KiB.
/// @source the bucket layout is HdrHistogram's (Tene); the relative-error guarantee is as in Masson
/// et al., "DDSketch", PVLDB 12(12), 2019.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <specroute/vocab/check.hpp>

namespace specroute::models {

/// Counts, sums and ranks a stream. Default-constructed it is empty and owns no memory.
class QuantileSketch {
 public:
  static constexpr std::size_t kExactCount = 4096;
  static constexpr double kRelativeError = 1.0 / 256.0;

  /// Adds one value. @param value >= 0 and finite (latencies, counts); anything else is a bug.
  void add(double value) {
    check(value >= 0.0 && value <= std::numeric_limits<double>::max(),
          "a sketched value is finite and not negative");
    ++count_;
    sum_ += value;
    least_ = std::min(least_, value);
    greatest_ = std::max(greatest_, value);
    if (!buckets_.empty()) {
      ++buckets_[bucket_of(value)];
    } else {
      keep_exact(value);
    }
  }

  /// Adds one value `times` times. @param value as in `add`.
  void add_many(double value, std::uint64_t times) {
    for (; times > 0 && buckets_.empty(); --times) add(value);
    if (times == 0) return;
    add(value);
    buckets_[bucket_of(value)] += times - 1;
    count_ += times - 1;
    sum_ += value * static_cast<double>(times - 1);
  }

  /// Adds all values of `other`, as if they had been added here.
  void merge(const QuantileSketch& other);

  /// The value at real rank h = (count - 1) p, counted from 0: interpolated linearly between the
  /// values at floor(h) and ceil(h) ("type 7", numpy's default). Absent for an empty sketch.
  /// @param p in [0, 1]. @source Hyndman and Fan, "Sample quantiles in statistical packages", The
  /// American Statistician 50(4), 1996.
  [[nodiscard]] std::optional<double> quantile(double p) const;

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double sum() const { return sum_; }
  [[nodiscard]] std::optional<double> mean() const;      ///< absent for an empty sketch
  [[nodiscard]] std::optional<double> least() const;     ///< exact; absent for an empty sketch
  [[nodiscard]] std::optional<double> greatest() const;  ///< exact; absent for an empty sketch
  /// Whether quantiles are exact still.
  [[nodiscard]] bool exact() const { return buckets_.empty(); }

 private:
  static constexpr unsigned kSubBucketBits = 7;
  static constexpr int kLowestExponent = -30;
  static constexpr int kHighestExponent = 30;
  /// One bucket below the range, one above, 128 per octave between.
  static constexpr std::size_t kBuckets =
      2 + (std::size_t{kHighestExponent - kLowestExponent} << kSubBucketBits);

  /// The bits of a positive double, cut to exponent and kSubBucketBits, count up with the value.
  static constexpr std::uint64_t cut(double value) {
    return std::bit_cast<std::uint64_t>(value) >> (52U - kSubBucketBits);
  }
  static constexpr std::uint64_t first_cut() {
    return std::uint64_t{1023 + kLowestExponent} << kSubBucketBits;
  }
  static constexpr std::size_t bucket_of(double value) {
    const std::uint64_t bits = cut(value + 0.0);  // + 0.0 turns -0 into 0
    if (bits < first_cut()) return 0;
    return static_cast<std::size_t>(std::min<std::uint64_t>(bits - first_cut() + 1, kBuckets - 1));
  }

  void keep_exact(double value);
  void spill();
  [[nodiscard]] double middle_of(std::size_t bucket) const;
  [[nodiscard]] double exact_quantile(double rank) const;
  [[nodiscard]] double value_at(std::uint64_t rank) const;

  std::uint64_t count_ = 0;
  double sum_ = 0.0;
  double least_ = std::numeric_limits<double>::infinity();
  double greatest_ = 0.0;
  std::vector<double> kept_;            ///< while exact
  std::vector<std::uint64_t> buckets_;  ///< once spilled
};

}  // namespace specroute::models
