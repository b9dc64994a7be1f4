/// @file
/// How each verification rule really decides on a token: the oracle.
///
/// Written from the papers and engines, not from models/speculation, which is what it is compared
/// with. `decide` plays a rule with random numbers; `outcome_of` says what `decide` does on average
/// at that position, by sums over the alphabet. A test holds one against the other.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "models/random/stream.hpp"
#include "tests/real_pair/corpus.hpp"

namespace specroute::real_pair {

/// The rules of docs/model.md, in its order.
enum class Rule {
  rejection,
  exact_match,
  coupled_match,
  one_hot,
  typical,
  threshold,
  forwarded_logits,
  synthetic,
};

inline constexpr std::array kRules = {
    Rule::rejection, Rule::exact_match, Rule::coupled_match,    Rule::one_hot,
    Rule::typical,   Rule::threshold,   Rule::forwarded_logits, Rule::synthetic};

[[nodiscard]] const char* to_string(Rule rule);

/// `typical`: accept where p(x) > min(epsilon, delta exp(-H(p))). @source vLLM 0.6,
/// typical_acceptance_sampler: these defaults, and the target's argmax in place of what it rejects.
inline constexpr double kTypicalEpsilon = 0.09;
inline constexpr double kTypicalDelta = 0.3;
/// `threshold`: accept where p(x) >= single, else with min(1, p(x) / acc); what is rejected is
/// replaced by a draw from p without x. @source SGLang, speculative_sampling.cuh, a chain.
inline constexpr double kThresholdSingle = 0.9;
inline constexpr double kThresholdAcc = 0.3;
/// `synthetic`: token k is accepted with this probability given that those before it were; what is
/// rejected is replaced as in `rejection`. @source vLLM, rejection_sample_method "synthetic".
inline constexpr std::array kSyntheticConditional = {0.8, 0.75, 0.7, 0.65};

/// The distributions of one position; each sums to 1.
struct Position {
  std::vector<double> wanted;     ///< p: the target under the request's parameters
  std::vector<double> forwarded;  ///< the target under the draft's parameters
  std::vector<double> drafted;    ///< q: the draft under the parameters in force on it
  std::vector<double> believed;   ///< what the verifier takes q to be: the draft, as requested
  std::size_t index = 0;          ///< within the draft, from 0
};

/// What happened to one draft token.
struct Verdict {
  bool accepted;
  Symbol emitted;  ///< the draft token if accepted, what replaces it if not
};

/// Draws a draft token from q, decides on it, and says what is emitted.
[[nodiscard]] Verdict decide(Rule rule, const Position& position, models::Stream& stream);

/// Means of `decide` at one position.
struct Outcome {
  double acceptance;
  std::vector<double> emitted;  ///< distribution of the emitted token
};
[[nodiscard]] Outcome outcome_of(Rule rule, const Position& position);

/// A symbol drawn from a distribution.
[[nodiscard]] Symbol draw(std::span<const double> distribution, models::Stream& stream);

/// -sum p log p, in nats.
[[nodiscard]] double entropy(std::span<const double> distribution);

}  // namespace specroute::real_pair
