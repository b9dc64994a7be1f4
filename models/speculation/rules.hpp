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
  /// Accept with min(1, p(x) / (l q^(x))) (q^(x) = 0 < p(x) accepts, p(x) = 0 rejects), else emit
  /// from max(0, p - l q^) renormalised. The lenience l is 1 unless it is given: l < 1 is lossy.
  /// @source Leviathan et al., ICML 2023, arXiv 2211.17192, section 2.3 and (lenience) A.5;
  /// Chen et al., arXiv 2302.01318.
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
  /// `exact_match` with one Gumbel noise G on both sides: y = argmax(log p + G),
  /// x = argmax(log q + G). See coupled_match.hpp. Sides whose seeds differ share no noise: then it
  /// is `exact_match`.
  coupled_match,
  /// Accept if p(x) > min(epsilon, delta e^-H(p)), else emit the target's argmax: lossy.
  /// @source Cai et al., "Medusa", arXiv 2401.10774, section 3.3.2; vLLM (V0),
  /// typical_acceptance_sampler.py, where the recovered token is the argmax of the target.
  typical,
  /// Accept if a coin <= p(x) / acc or p(x) >= single, else emit from p without x, renormalised.
  /// Lossless at acc = single = 1 only, where it is `one_hot`. The rule of a chain: in a tree, the
  /// coin meets the sum of p over the siblings tried so far. @source SGLang, sgl-kernel,
  /// csrc/speculative/speculative_sampling.cuh, TreeSpeculativeSamplingTargetOnly.
  threshold,
  /// Accept with a given probability, whatever p: a benchmark's switch. An accepted token is the
  /// draft's (q); a rejected one is replaced from max(0, p - q^) renormalised, as in `rejection`.
  /// @source vLLM, v1/worker/gpu/spec_decode/rejection_sampler.py, SYNTHETIC_MODE.
  synthetic,
};

/// The JSON spelling.
[[nodiscard]] const char* to_string(VerificationRule rule);

/// A rule with its parameters; those of other rules mean nothing. The defaults are the engines'.
struct Verifier {
  VerificationRule rule;
  double lenience = 1.0;              ///< l of `rejection`, (0, 1]
  double posterior_threshold = 0.09;  ///< epsilon of `typical`, (0, 1]
  double posterior_alpha = 0.3;       ///< delta of `typical`, (0, 1]
  double threshold_single = 1.0;      ///< of `threshold`, (0, 1]
  double threshold_acc = 1.0;         ///< of `threshold`, (0, 1]
  double synthetic_share = 1.0;       ///< of verified draft tokens that `synthetic` accepts, [0, 1]

  bool operator==(const Verifier&) const = default;
};

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
/// is accepted, and writes the distribution of the token emitted there, accepted or not. It is a
/// rule's arithmetic alone: that `coupled_match` shares its noise is taken for granted.
/// @param emitted as many entries as the distributions have. @return in [0, 1].
double verify_position(const Verifier& verifier, const PositionDistributions& position,
                       std::span<double> emitted);
inline double verify_position(VerificationRule rule, const PositionDistributions& position,
                              std::span<double> emitted) {
  return verify_position(Verifier{.rule = rule}, position, emitted);
}

/// Whether the rule emits exactly p there, whatever the draft did.
[[nodiscard]] bool is_lossless(const Verifier& verifier, const Situation& situation);

/// The rule that a situation comes to: `coupled_match` between sides whose seeds differ is
/// `exact_match`; all else is itself.
[[nodiscard]] Verifier effective(Verifier verifier, const Situation& situation);

/// Means over positions.
struct RuleOutcome {
  double acceptance;            ///< of a draft token whose predecessors were accepted, [0, 1]
  double emitted_entropy_nats;  ///< of what a verified position emits
  double bonus_entropy_nats;    ///< of what follows a fully accepted draft: p's
  double total_variation;       ///< 1/2 sum |emitted - p|: 0 is lossless
};

/// Averages a rule over the model's positions. Pure; about 2 to 10 ms on the standard table.
/// Positions are averaged unconditionally: an accepted prefix does not tilt the next position. A
/// pair with drift is taken in contexts of the text that this rule writes (text_drift.hpp), at
/// twice the cost.
[[nodiscard]] RuleOutcome evaluate(const PairModel& model, const Verifier& verifier,
                                   const Situation& situation);
[[nodiscard]] inline RuleOutcome evaluate(const PairModel& model, VerificationRule rule,
                                          const Situation& situation) {
  return evaluate(model, Verifier{.rule = rule}, situation);
}

/// What the two rules that figures are published for accept while both sides apply `parameters`:
/// E sum min(p, q) and E sum p q, in one pass of about 2 ms. Equal to what `evaluate` finds.
struct HealthyAcceptance {
  double rejection;
  double exact_match;
};
[[nodiscard]] HealthyAcceptance healthy_acceptance(const PairModel& model,
                                                   const SamplingParameters& parameters);

/// Share of positions where target and draft have the same argmax: the acceptance of every rule
/// but `synthetic` when both sides are greedy.
[[nodiscard]] double argmax_agreement(const PairModel& model);

}  // namespace specroute::models
