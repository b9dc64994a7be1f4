/// @file
/// Repetition loops: how often a sequence falls into one, and what it does once inside.
///
/// Text drawn from a distribution of little entropy repeats itself; text drawn from a model's full
/// distribution hardly ever does. A sequence is normal or looping; it enters at a hazard per token
/// that falls with the entropy of what it emits. What it does inside adds nothing to what it has to
/// say: one that escapes takes up its text where the loop broke in, so it ends as many tokens later
/// as the loop took, or at its limit. One that does not escape runs on to its limit.
#pragma once

#include <span>
#include <vector>

#include "models/degradation/step_hazard.hpp"
#include "models/speculation/rules.hpp"

namespace specroute::models {

/// Repetitive continuations, greedy over sampled: 73.66 % over 0.22 %, about 335.
/// @source Holtzman et al., "The Curious Case of Neural Text Degeneration", ICLR 2020,
/// arXiv 1904.09751, table 1 (GPT-2 Large), greedy and pure sampling.
inline constexpr double kGreedyToSampledLoops = 73.66 / 0.22;

/// How the hazard of entering a loop falls between its two published ends. Scenarios use
/// `log_linear`; the others say how much of a conclusion hangs on that (sensitivity.hpp).
enum class EntropyLaw {
  log_linear,  ///< h_greedy R^(-H / H_ref), and on beyond H_ref
  linear,      ///< h_greedy (1 - (1 - 1/R) H / H_ref), then constant
  threshold,   ///< h_greedy below H_ref / 2, h_greedy / R from there on
};

/// What loops do in one scenario. Only the ratio is from the literature; the level is calibrated.
struct LoopModel {
  double greedy_hazard = 0.0;  ///< per token at zero entropy, [0, 1]
  double ratio =
      kGreedyToSampledLoops;            ///< hazard at zero entropy over that at the reference, >= 1
  double reference_entropy_nats = 1.0;  ///< H_ref > 0: what the content emits when sampled as meant
  double looping_acceptance = 0.95;     ///< per position, of a looping sequence, [0, 1]
  double escape_hazard = 0.0;           ///< per token inside a loop, [0, 1]; 0: loops do not end
  EntropyLaw law = EntropyLaw::log_linear;
};

/// Hazard per token of entering a loop: h(H) = greedy_hazard x ratio^(-H / H_ref).
///
/// Log-linear between its two ends: h(0) = greedy_hazard and h(H_ref) = greedy_hazard / ratio.
/// Between them it is an interpolation of ours; against truncated sampling it errs upwards, by 3 at
/// top-k 40 and 2 at top-p 0.95 (validate-models, section degradation). Beyond H_ref it goes on
/// falling: extrapolated, and too small to matter. @param entropy_nats >= 0, a mean over positions.
/// @return in [0, greedy_hazard].
[[nodiscard]] double loop_hazard(const LoopModel& model, double entropy_nats);

/// The loop hazards of a step under a rule: each kind of token by the entropy it is drawn with.
[[nodiscard]] StepHazard loop_step_hazard(const LoopModel& model, const RuleOutcome& outcome);

/// Conditional acceptances of a looping sequence: `looping_acceptance` at each of gamma positions.
/// A loop is easy to draft: a report has 2.68 tokens per verification healthy, 7.76 looping, at up
/// to 8 drafted.
/// @source Blackwellboy/model-serving-minefield, issue 108; TheTom/llama-cpp-turboquant, issue 345
/// (acceptance .564 to .808).
[[nodiscard]] std::vector<double> looping_shape(const LoopModel& model, int draft_tokens);

/// The escape hazard of a looping step: the same for every token, whoever draws it.
///
/// Constant, so the length of a loop is geometric. That is a simplification: each repeat makes the
/// next one likelier (Xu et al., "Learning to Break the Loop", NeurIPS 2022, arXiv 2206.02369), so
/// real loops escape early or not at all. No published escape rate is known to us; 0 is the
/// pessimistic end, which reports of loops that fill their budget support.
[[nodiscard]] StepHazard escape_step_hazard(const LoopModel& model);

/// Mean tokens that a sequence spends in a loop which has room for `room` more:
/// (1 - (1 - e)^room) / e, and `room` where it never escapes. @param room >= 0, up to the limit.
[[nodiscard]] double mean_tokens_in_loop(const LoopModel& model, double room);

/// Share of completions that something with this hazard per token befalls: the mean of
/// 1 - (1 - h)^n over the lengths n, which weigh the same.
/// @param hazard in [0, 1]. @param lengths in tokens, >= 0, at least one. @return in [0, 1].
[[nodiscard]] double share_from_hazard(double hazard, std::span<const double> lengths);

/// Ratio of two hazards per token whose completions, of whatever common length, loop with these
/// shares: log(1 - one) / log(1 - other). Not the ratio of the shares: 73.66 % over 0.22 % is 335
/// in shares and 606 in hazards, since most of those who would loop a second time did so once.
/// @param one, other in (0, 1).
[[nodiscard]] double hazard_ratio_from_shares(double one, double other);

/// Inverse of `share_from_hazard`, by bisection to 1e-15 relative: what hazard makes the incident's
/// 2.1 % of completions? @param share in [0, 1), below the share of lengths that are not 0.
[[nodiscard]] double hazard_from_share(double share, std::span<const double> lengths);

/// Lengths for the two above: `count` quantiles at (i + 1/2) / count of a lognormal of this mean
/// and coefficient of variation, each cut to [1, limit]. Not rounded.
/// @param mean > 0. @param limit >= 1, the length limit. @param count >= 1.
struct CompletionLengths {
  double mean = 64.0;
  double coefficient_of_variation = 0.5;
  double limit = 256.0;
};
[[nodiscard]] std::vector<double> length_quantiles(const CompletionLengths& lengths,
                                                   int count = 256);

}  // namespace specroute::models
