/// @file
/// Verification rules: what each accepts, what it emits, when the draft's parameters are not what
/// the verifier believes or not what the request wants.
///
/// Four distributions at a position:
///   p    the target under the request's parameters: what should be emitted;
///   p_d  the target under the draft's parameters (what `forwarded_logits` verifies with);
///   q    what the draft token was really drawn from (the parameters in force on the draft);
///   q^   what the verifier believes it was drawn from.
#pragma once

#include <span>

#include "models/speculation/sampling.hpp"
#include "models/speculation/token_pair.hpp"

namespace specroute::models {

/// How a target decides on a draft token x.
enum class VerificationRule {
  /// Accept with min(1, p(x) / q^(x)) (q^(x) = 0 < p(x) accepts, p(x) = 0 rejects), else emit from
  /// max(0, p - q^) renormalised. @source Leviathan et al., ICML 2023, arXiv 2211.17192, section
  /// 2.3; Chen et al., arXiv 2302.01318.
  rejection,
  /// The target draws y ~ p; accept if y = x; emit y either way. @source llama.cpp,
  /// common_sampler_sample_and_accept_n.
  exact_match,
  /// Accept with p(x), else emit from p without x, renormalised: `rejection` told that q is
  /// one-hot.
  /// @source vLLM, v1/sample/rejection_sampler.py, the path without draft probabilities.
  one_hot,
  /// The verifier works under the draft's parameters: y ~ p_d; accept if y = x; emit y either way.
  /// The bonus token is drawn from p. With equal parameters this is `exact_match`.
  forwarded_logits,
};

/// The JSON spelling.
[[nodiscard]] const char* to_string(VerificationRule rule);

/// Who samples how.
struct Situation {
  SamplingParameters request;   ///< what the request wants; gives p
  SamplingParameters in_force;  ///< what the draft backend applies; gives q and p_d
  SamplingParameters believed;  ///< what the verifier takes the draft's to be; gives q^
};

/// A consistent pairing: everybody uses the request's parameters.
[[nodiscard]] Situation healthy(const SamplingParameters& request);
/// A stale draft: it applies `in_force`, and the verifier takes it to apply the request's.
[[nodiscard]] Situation stale_draft(const SamplingParameters& request,
                                    const SamplingParameters& in_force);

/// The four distributions of one position over one list of tokens; each sums to 1.
struct PositionDistributions {
  std::span<const double> wanted;     ///< p
  std::span<const double> forwarded;  ///< p_d
  std::span<const double> drafted;    ///< q
  std::span<const double> believed;   ///< q^
};

/// Decides one position exactly, by sums over tokens: returns the probability that the draft token
/// is accepted, and writes the distribution of the token emitted there, accepted or not.
/// @param emitted as many entries as the distributions have. @return in [0, 1].
double verify_position(VerificationRule rule, const PositionDistributions& position,
                       std::span<double> emitted);

/// Means over positions.
struct RuleOutcome {
  double acceptance;            ///< of a draft token whose predecessors were accepted, [0, 1]
  double emitted_entropy_nats;  ///< of what a verified position emits
  double bonus_entropy_nats;    ///< of what follows a fully accepted draft: p's
  double total_variation;       ///< 1/2 sum |emitted - p|: 0 is lossless
};

/// Averages a rule over the model's positions. Pure; about 2 to 5 ms on the standard table.
/// Positions are averaged unconditionally: an accepted prefix does not tilt the next position.
[[nodiscard]] RuleOutcome evaluate(const PairModel& model, VerificationRule rule,
                                   const Situation& situation);

/// Share of positions where target and draft have the same argmax: the acceptance of every rule
/// when both sides are greedy.
[[nodiscard]] double argmax_agreement(const PairModel& model);

}  // namespace specroute::models
