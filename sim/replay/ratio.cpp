#include "sim/replay/ratio.hpp"

#include <algorithm>
#include <cmath>

namespace specroute::sim {

Denominator denominator_of(double length, std::optional<double> rate, std::uint64_t draft_tokens) {
  constexpr double kRounding = 0.0051;  // of the rate's two decimals
  if (!rate || draft_tokens == 0) return Denominator::unknown;
  const auto per_step = static_cast<double>(draft_tokens);
  // The length has two decimals too.
  const auto fits = [&](double expected, double divisor) {
    return std::fabs(expected - *rate) <= kRounding + kRounding / divisor;
  };
  if (fits((length - 1.0) / per_step, per_step)) return Denominator::drafted;
  if (fits(length / (per_step + 1.0), per_step + 1.0)) return Denominator::drafted_and_bonus;
  if (fits(length / per_step, per_step)) return Denominator::steps;
  return Denominator::unknown;
}

bool derive_counts(EngineWindow& window, std::uint64_t draft_tokens) {
  constexpr double kRounding = 0.005;
  const double extra = std::max(window.accept_length.value_or(1.0) - 1.0, 0.0);
  if (extra > static_cast<double>(draft_tokens) + kRounding) return false;
  window.drafted = window.steps * draft_tokens;
  const double accepted = std::floor(extra * static_cast<double>(window.steps) + 0.5);
  window.accepted = std::min(static_cast<std::uint64_t>(accepted), window.drafted);
  return true;
}

const char* denominator_name(Denominator denominator) {
  switch (denominator) {
    case Denominator::drafted:
      return "accepted / drafted";
    case Denominator::drafted_and_bonus:
      return "(accepted + bonus) / (drafted + bonus)";
    case Denominator::steps:
      return "(accepted + bonus) / drafted";
    case Denominator::unknown:
      break;
  }
  return "not known";
}

}  // namespace specroute::sim
