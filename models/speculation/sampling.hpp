/// @file
/// From logits to the distribution that a sampler really draws from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace specroute::models {

/// What a request asks for, or what one side has in force. Values that switch a filter off are the
/// defaults. Only the first four shape a distribution; the seed keys a side's own random stream and
/// the grammar masks tokens, and both matter to hashes and to degradation.
struct SamplingParameters {
  double temperature = 1.0;  ///< >= 0; 0 is the argmax, lowest index on ties
  double top_p = 1.0;        ///< in (0, 1]; 1 is off
  int top_k = 0;             ///< >= 0; 0 is off
  double min_p = 0.0;        ///< in [0, 1]; 0 is off
  std::int64_t seed = 0;
  std::string grammar_id = {};

  bool operator==(const SamplingParameters&) const = default;
};

/// Whether both give the same distribution over the same logits: seed and grammar aside.
[[nodiscard]] bool same_distribution(const SamplingParameters& a, const SamplingParameters& b);

/// Whether the draw is certain: temperature 0, or top-k 1.
[[nodiscard]] bool is_greedy(const SamplingParameters& parameters);

/// Memory that `sample_distribution` reuses between calls; contents mean nothing to the caller.
struct SamplingScratch {
  std::vector<double> shifted;
  std::vector<std::uint32_t> order;
};

/// Turns logits into probabilities in place and returns their entropy in nats.
///
/// p_i proportional to exp(z_i / T), then filters in the order of vLLM's sampler: min-p (drop
/// p_i < min_p max p), top-k (keep the k largest), top-p (keep the smallest head of the sorted
/// remainder whose share of the remainder is >= top_p; never empty), and renormalise. Ties go to
/// the lowest index. Entropy is log S - (sum w x) / S with w = exp(x) and S the sum of those kept.
/// @param values logits, finite, at least one; probabilities on return, summing to 1 within 1e-14.
/// @return entropy in [0, log(size)].
/// @source Holtzman et al., "The Curious Case of Neural Text Degeneration", ICLR 2020 (top-p);
/// Nguyen et al., "Turning Up the Heat: Min-p Sampling", arXiv 2407.01082 (min-p).
double sample_distribution(std::span<double> values, const SamplingParameters& parameters,
                           SamplingScratch& scratch);

/// The same probabilities, bit for bit, without their entropy.
void to_distribution(std::span<double> values, const SamplingParameters& parameters,
                     SamplingScratch& scratch);

/// Entropy in nats of a distribution: -sum p log p, with 0 log 0 = 0. Terms with p < 1e-18 are left
/// out: each is below 5e-17.
[[nodiscard]] double entropy_nats(std::span<const double> probabilities);

}  // namespace specroute::models
