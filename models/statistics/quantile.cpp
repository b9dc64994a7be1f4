#include "models/statistics/quantile.hpp"

#include <cmath>

namespace specroute::models {
namespace {

/// Between `low` and `high`; at the ends exactly they.
double interpolate(double low, double high, double share) {
  return low + share * (high - low);
}

}  // namespace

void QuantileSketch::keep_exact(double value) {
  kept_.push_back(value);
  if (kept_.size() > kExactCount) spill();
}

void QuantileSketch::spill() {
  buckets_.assign(kBuckets, 0);
  for (const double value : kept_) ++buckets_[bucket_of(value)];
  kept_ = {};  // gives the memory back
}

void QuantileSketch::merge(const QuantileSketch& other) {
  if (other.count_ == 0) return;
  if (&other == this) return merge(QuantileSketch(other));
  count_ += other.count_;
  sum_ += other.sum_;
  least_ = std::min(least_, other.least_);
  greatest_ = std::max(greatest_, other.greatest_);
  if (!other.exact()) {
    if (exact()) spill();
    for (std::size_t i = 0; i < kBuckets; ++i) buckets_[i] += other.buckets_[i];
    return;
  }
  for (const double value : other.kept_) {
    if (exact()) {
      keep_exact(value);
    } else {
      ++buckets_[bucket_of(value)];
    }
  }
}

std::optional<double> QuantileSketch::quantile(double p) const {
  check(p >= 0.0 && p <= 1.0, "a quantile is asked for p in [0, 1]");
  if (count_ == 0) return std::nullopt;
  const double rank = static_cast<double>(count_ - 1) * p;
  if (exact()) return exact_quantile(rank);
  const double below = std::floor(rank);
  const auto index = static_cast<std::uint64_t>(below);
  const double low = value_at(index);
  const double high = index + 1 < count_ ? value_at(index + 1) : low;
  return interpolate(low, high, rank - below);
}

double QuantileSketch::exact_quantile(double rank) const {
  const double below = std::floor(rank);
  const auto index = static_cast<std::size_t>(below);
  std::vector<double> values = kept_;
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(index);
  std::nth_element(values.begin(), place, values.end());
  const double low = *place;
  const double high = index + 1 < values.size() ? *std::min_element(place + 1, values.end()) : low;
  return interpolate(low, high, rank - below);
}

double QuantileSketch::value_at(std::uint64_t rank) const {
  // The extremes are known exactly.
  if (rank == 0) return least_;
  if (rank + 1 == count_) return greatest_;
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    seen += buckets_[bucket];
    if (rank < seen) return middle_of(bucket);
  }
  check(false, "the buckets hold as many values as were counted");
  return greatest_;
}

double QuantileSketch::middle_of(std::size_t bucket) const {
  if (bucket == 0) return least_;
  if (bucket == kBuckets - 1) return greatest_;
  // Buckets are linear within an octave: the middle is half a cut above the lower bound.
  const std::uint64_t lower = (first_cut() + bucket - 1) << (52U - kSubBucketBits);
  const std::uint64_t half = std::uint64_t{1} << (52U - kSubBucketBits - 1U);
  return std::clamp(std::bit_cast<double>(lower + half), least_, greatest_);
}

std::optional<double> QuantileSketch::mean() const {
  if (count_ == 0) return std::nullopt;
  return sum_ / static_cast<double>(count_);
}

std::optional<double> QuantileSketch::least() const {
  if (count_ == 0) return std::nullopt;
  return least_;
}

std::optional<double> QuantileSketch::greatest() const {
  if (count_ == 0) return std::nullopt;
  return greatest_;
}

}  // namespace specroute::models
