/// @file
/// Prompt and output lengths: integers of at least one token, drawn from one 64-bit word each.
///
/// A length above the limit becomes the limit, as an engine ends a completion at its token limit:
/// the distribution has an atom there, and its mean lies a little below the untruncated one.
#pragma once

#include <cstdint>
#include <vector>

namespace specroute::models {

/// Family of a length distribution; the spelling of a scenario's `kind`.
enum class LengthKind : std::uint8_t { fixed, uniform, lognormal, geometric, gamma, empirical };

/// One length of a histogram.
struct WeightedLength {
  std::uint32_t tokens;  ///< >= 1
  double weight;         ///< >= 0, in any unit; not all 0
};

/// A distribution as a scenario states it. Fields that a kind does not name are ignored.
struct LengthSpec {
  LengthKind kind = LengthKind::fixed;
  /// fixed: the length, > 0; lognormal, gamma: mean before rounding and truncation, > 0; geometric:
  /// mean before truncation, >= 1, of a length that ends at each token with the chance 1 / mean
  double mean = 1.0;
  double cv = 0.0;            ///< lognormal, gamma: standard deviation / mean, >= 0 (gamma: > 0)
  std::uint32_t minimum = 1;  ///< uniform: shortest, >= 1
  std::uint32_t maximum = 1;  ///< uniform: longest, >= minimum
  std::uint32_t limit = 0xffff'ffffU;       ///< every kind: longest length, >= 1
  std::vector<WeightedLength> values = {};  ///< empirical: rising in tokens, at least one
};

/// Draws lengths by inversion. Monotone in the word, so equal words are equal luck under two specs.
///
/// The quantile function costs a logarithm and an exponential (about 100 ns), so the outcome is
/// tabulated where all words with the same upper 12 bits agree on it: for short lengths nearly
/// everywhere. The result is that of the formula in either case.
class LengthDistribution {
 public:
  /// @param spec within the ranges above; a scenario is validated before it gets here.
  explicit LengthDistribution(const LengthSpec& spec);

  /// max(1, min(limit, round(quantile(u)))), u = (upper 52 bits + 1/2) / 2^52. A geometric length
  /// is the least n with 1 - (1 - 1/mean)^n >= u: no memory, so it makes an engine's service time
  /// the discrete form of the exponential. An empirical length is the least value whose cumulated
  /// weight exceeds u of the whole.
  /// @param word 64 uniform random bits: `Stream::operator()`. @return tokens in [1, limit].
  [[nodiscard]] std::uint32_t sample(std::uint64_t word) const {
    const std::uint32_t tabulated = table_[word >> (64U - kCellBits)];
    return tabulated != kUndecided ? tabulated : evaluate(word);
  }

  /// The formula itself, without the table: what `sample` must equal.
  [[nodiscard]] std::uint32_t evaluate(std::uint64_t word) const;

  /// Mean over all words, to the resolution of 2^16 equidistant quantiles; for planning a load.
  [[nodiscard]] double mean() const;

 private:
  static constexpr unsigned kCellBits = 12;
  static constexpr std::uint32_t kUndecided = 0;

  LengthSpec spec_;
  double mu_ = 0.0;
  double sigma_ = 0.0;
  double log_survival_ = 0.0;         ///< geometric: log(1 - 1/mean)
  std::vector<double> cumulated_;     ///< empirical: weights up to and with each value
  std::vector<std::uint32_t> table_;  ///< length of a cell, or kUndecided
};

}  // namespace specroute::models
