#include "models/degradation/step_hazard.hpp"

#include <cstddef>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"

namespace specroute::models {
namespace {

void check_hazard(const StepHazard& hazard) {
  check(hazard.verified >= 0.0 && hazard.verified <= 1.0 && hazard.bonus >= 0.0 &&
            hazard.bonus <= 1.0,
        "a hazard per token lies in [0, 1]");
}

double log_survival(double hazard, int tokens) {
  return tokens == 0 ? 0.0 : static_cast<double>(tokens) * portable::log1p(-hazard);
}

double either_of(double one, double other) {
  return one + other - one * other;
}

}  // namespace

EmittedTokens emitted_tokens(int accepted, int draft_tokens) {
  check(draft_tokens >= 0 && draft_tokens <= kMaxDraftTokens, "a draft has 0 to 16 tokens");
  check(accepted >= 0 && accepted <= draft_tokens, "accepted tokens are at most those drafted");
  if (accepted == draft_tokens) return {.verified = draft_tokens, .bonus = 1};
  return {.verified = accepted + 1, .bonus = 0};
}

StepHazard either(const StepHazard& one, const StepHazard& other) {
  check_hazard(one);
  check_hazard(other);
  return {.verified = either_of(one.verified, other.verified),
          .bonus = either_of(one.bonus, other.bonus)};
}

double step_probability(const StepHazard& hazard, const EmittedTokens& tokens) {
  check_hazard(hazard);
  const double survival =
      log_survival(hazard.verified, tokens.verified) + log_survival(hazard.bonus, tokens.bonus);
  return -portable::expm1(survival);
}

StepThresholds step_thresholds(const StepHazard& hazard, int draft_tokens) {
  StepThresholds thresholds{};
  for (int accepted = 0; accepted <= draft_tokens; ++accepted)
    thresholds[static_cast<std::size_t>(accepted)] = threshold_from_probability(
        step_probability(hazard, emitted_tokens(accepted, draft_tokens)));
  return thresholds;
}

}  // namespace specroute::models
