#include "models/workload/lengths.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <specroute/vocab/check.hpp>

#include "models/random/distributions.hpp"
#include "models/random/gamma.hpp"
#include "models/random/portable_math.hpp"

namespace specroute::models {
namespace {

/// (0, 1), with the 52 bits that a double holds beside the half: the rule of Stream::uniform_open.
double open_uniform(std::uint64_t word) {
  return (static_cast<double>(word >> 12U) + 0.5) * 0x1p-52;
}

/// Nearest integer within [1, limit]. The comparison precedes the cast, which may not overflow.
std::uint32_t to_tokens(double length, std::uint32_t limit) {
  const double rounded = std::floor(length + 0.5);
  if (!(rounded > 1.0)) return 1;
  if (rounded >= static_cast<double>(limit)) return limit;
  return static_cast<std::uint32_t>(rounded);
}

}  // namespace

LengthDistribution::LengthDistribution(const LengthSpec& spec) : spec_(spec) {
  check(spec.limit >= 1, "a length limit allows one token");
  const bool by_mean = spec.kind != LengthKind::uniform && spec.kind != LengthKind::empirical;
  check(!by_mean || spec.mean > 0.0, "a mean length is positive");
  check(spec.kind != LengthKind::gamma || spec.cv > 0.0, "a gamma length has a spread");
  check(spec.kind != LengthKind::uniform || (1 <= spec.minimum && spec.minimum <= spec.maximum),
        "a uniform length has 1 <= minimum <= maximum");
  if (spec.kind == LengthKind::lognormal) {
    check(spec.cv >= 0.0, "a coefficient of variation is not negative");
    const Lognormal lognormal = Lognormal::from_mean_and_cv(spec.mean, spec.cv);
    mu_ = lognormal.mu;
    sigma_ = lognormal.sigma;
  }
  check(spec.kind != LengthKind::geometric || spec.mean >= 1.0, "a geometric length has a token");
  if (spec.kind == LengthKind::geometric && spec.mean > 1.0)
    log_survival_ = portable::log1p(-1.0 / spec.mean);
  double total = 0.0;
  for (const WeightedLength& value : spec.values) cumulated_.push_back(total += value.weight);
  check(spec.kind != LengthKind::empirical || total > 0.0, "a histogram has a weight");
  table_.resize(std::size_t{1} << kCellBits);
  constexpr std::uint64_t kCellWidth = std::uint64_t{1} << (64U - kCellBits);
  for (std::size_t cell = 0; cell < table_.size(); ++cell) {
    const std::uint64_t first = cell * kCellWidth;
    // Monotone: equal at both ends of the cell is equal throughout.
    const std::uint32_t shortest = evaluate(first);
    table_[cell] = shortest == evaluate(first + (kCellWidth - 1)) ? shortest : kUndecided;
  }
}

std::uint32_t LengthDistribution::evaluate(std::uint64_t word) const {
  const double u = open_uniform(word);
  switch (spec_.kind) {
    case LengthKind::fixed:
      return to_tokens(spec_.mean, spec_.limit);
    case LengthKind::uniform: {
      const double width = static_cast<double>(spec_.maximum - spec_.minimum) + 1.0;
      const double length = static_cast<double>(spec_.minimum) + std::floor(u * width);
      return to_tokens(std::min(length, static_cast<double>(spec_.maximum)), spec_.limit);
    }
    case LengthKind::lognormal:
      return to_tokens(Lognormal{.mu = mu_, .sigma = sigma_}.sample(u), spec_.limit);
    case LengthKind::geometric:
      if (log_survival_ == 0.0) return 1;  // a mean of one token
      return to_tokens(std::ceil(portable::log1p(-u) / log_survival_), spec_.limit);
    case LengthKind::gamma:
      return to_tokens(gamma_from_mean_and_cv(spec_.mean, spec_.cv, u), spec_.limit);
    case LengthKind::empirical: {
      const auto above = std::ranges::upper_bound(cumulated_, u * cumulated_.back());
      const auto index = static_cast<std::size_t>(above - cumulated_.begin());
      const std::size_t last = spec_.values.size() - 1;
      return std::min(spec_.values[std::min(index, last)].tokens, spec_.limit);
    }
  }
  return 1;
}

double LengthDistribution::mean() const {
  constexpr std::uint64_t kCount = std::uint64_t{1} << 16U;
  constexpr std::uint64_t kStep = std::uint64_t{1} << 48U;
  double sum = 0.0;
  for (std::uint64_t i = 0; i < kCount; ++i) sum += sample(i * kStep + kStep / 2);
  return sum / static_cast<double>(kCount);
}

}  // namespace specroute::models
