#include "models/degradation/loop.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "models/random/distributions.hpp"
#include "models/random/portable_math.hpp"

namespace specroute::models {
namespace {

/// Over that at zero entropy. @param x entropy over the reference entropy
double relative_hazard(const LoopModel& model, double x) {
  switch (model.law) {
    case EntropyLaw::log_linear:
      return portable::pow(model.ratio, -x);
    case EntropyLaw::linear:
      return 1.0 - (1.0 - 1.0 / model.ratio) * std::min(x, 1.0);
    case EntropyLaw::threshold:
      return x < 0.5 ? 1.0 : 1.0 / model.ratio;
  }
  check(false, "every law has its formula");
  return 1.0;
}

}  // namespace

double loop_hazard(const LoopModel& model, double entropy_nats) {
  check(model.greedy_hazard >= 0.0 && model.greedy_hazard <= 1.0,
        "a hazard per token lies in [0, 1]");
  check(model.ratio >= 1.0, "greedy text loops at least as often as sampled text");
  check(model.reference_entropy_nats > 0.0, "a reference entropy is above 0");
  check(entropy_nats >= 0.0, "an entropy is not negative");
  return model.greedy_hazard * relative_hazard(model, entropy_nats / model.reference_entropy_nats);
}

StepHazard loop_step_hazard(const LoopModel& model, const RuleOutcome& outcome) {
  return {.verified = loop_hazard(model, outcome.emitted_entropy_nats),
          .bonus = loop_hazard(model, outcome.bonus_entropy_nats)};
}

std::vector<double> looping_shape(const LoopModel& model, int draft_tokens) {
  return iid_shape(model.looping_acceptance, draft_tokens);
}

StepHazard escape_step_hazard(const LoopModel& model) {
  check(model.escape_hazard >= 0.0 && model.escape_hazard <= 1.0,
        "a hazard per token lies in [0, 1]");
  return {.verified = model.escape_hazard, .bonus = model.escape_hazard};
}

double mean_tokens_in_loop(const LoopModel& model, double room) {
  check(room >= 0.0, "a loop has room for tokens or none");
  const double hazard = escape_step_hazard(model).verified;
  if (hazard == 0.0) return room;
  if (hazard == 1.0) return std::min(room, 1.0);
  return -portable::expm1(room * portable::log1p(-hazard)) / hazard;
}

double share_from_hazard(double hazard, std::span<const double> lengths) {
  check(hazard >= 0.0 && hazard <= 1.0, "a hazard per token lies in [0, 1]");
  check(!lengths.empty(), "a distribution of lengths is not empty");
  if (hazard == 1.0) {
    const auto touched =
        std::count_if(lengths.begin(), lengths.end(), [](double tokens) { return tokens > 0.0; });
    return static_cast<double>(touched) / static_cast<double>(lengths.size());
  }
  const double log_survival = portable::log1p(-hazard);
  double share = 0.0;
  for (const double tokens : lengths) share -= portable::expm1(tokens * log_survival);
  return share / static_cast<double>(lengths.size());
}

double hazard_ratio_from_shares(double one, double other) {
  check(one > 0.0 && one < 1.0 && other > 0.0 && other < 1.0, "shares lie between 0 and 1");
  return portable::log1p(-one) / portable::log1p(-other);
}

double hazard_from_share(double share, std::span<const double> lengths) {
  check(share >= 0.0 && share < share_from_hazard(1.0, lengths),
        "a share of completions lies in [0, 1), below the share of those with a token");
  if (share == 0.0) return 0.0;
  double low = 0.0;
  double high = 1.0;
  while (high - low > 1e-15 * high) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (share_from_hazard(middle, lengths) < share ? low : high) = middle;
  }
  return high;
}

std::vector<double> length_quantiles(const CompletionLengths& lengths, int count) {
  check(count >= 1 && lengths.limit >= 1.0, "lengths have a limit and a number of quantiles");
  const auto distribution =
      Lognormal::from_mean_and_cv(lengths.mean, lengths.coefficient_of_variation);
  std::vector<double> quantiles;
  for (int i = 0; i < count; ++i) {
    const double u = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    quantiles.push_back(std::clamp(distribution.sample(u), 1.0, lengths.limit));
  }
  return quantiles;
}

}  // namespace specroute::models
