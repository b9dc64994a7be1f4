#include "models/speculation/acceptance.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"

namespace specroute::models {
namespace {

constexpr int kBisections = 60;  // halves [0, 1] below the spacing of doubles

void check_shape(std::span<const double> conditional) {
  check(conditional.size() <= kMaxDraftTokens, "a draft has at most kMaxDraftTokens tokens");
  for (const double a : conditional)
    check(a >= 0.0 && a <= 1.0, "a conditional acceptance lies in [0, 1]");
}

double accepted_tokens(std::span<const double> conditional) {
  double reach = 1.0;
  double total = 0.0;
  for (const double a : conditional) total += reach *= a;
  return total;
}

// The root of an increasing function on [0, 1].
template <class Increasing>
double bisect_unit(Increasing function, double wanted) {
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (low + high);
    (function(middle) < wanted ? low : high) = middle;
  }
  return high;
}

}  // namespace

std::vector<double> iid_shape(double alpha, int draft_tokens) {
  check(draft_tokens >= 0 && draft_tokens <= kMaxDraftTokens, "a draft has 0 to 16 tokens");
  check(alpha >= 0.0 && alpha <= 1.0, "an acceptance lies in [0, 1]");
  return std::vector<double>(static_cast<std::size_t>(draft_tokens), alpha);
}

std::vector<double> conditional_shape(std::span<const double> unconditional) {
  std::vector<double> shape;
  double reached = 1.0;
  for (const double accepted : unconditional) {
    check(accepted >= 0.0 && accepted <= reached, "unconditional acceptances do not increase");
    shape.push_back(reached > 0.0 ? accepted / reached : 0.0);
    reached = accepted;
  }
  check_shape(shape);
  return shape;
}

std::vector<double> rates_from_length(double length, int draft_tokens) {
  check(draft_tokens >= 0 && draft_tokens <= kMaxDraftTokens, "a draft has 0 to 16 tokens");
  check(length >= 1.0 && length <= 1.0 + draft_tokens, "a length lies in [1, draft tokens + 1]");
  std::vector<double> rates;
  for (int k = 0; k < draft_tokens; ++k) rates.push_back(std::clamp(length - 1.0 - k, 0.0, 1.0));
  return rates;
}

std::vector<double> extended_shape(std::span<const double> conditional, int draft_tokens) {
  check(!conditional.empty(), "a shape that is extended has a position");
  std::vector<double> shape(conditional.begin(), conditional.end());
  shape.resize(static_cast<std::size_t>(draft_tokens), conditional.back());
  check_shape(shape);
  return shape;
}

std::vector<double> shape_at_level(std::span<const double> conditional, double measured_alpha,
                                   double alpha) {
  check_shape(conditional);
  check(measured_alpha > 0.0 && measured_alpha < 1.0, "a shape was measured between 0 and 1");
  check(alpha >= 0.0 && alpha <= 1.0, "an acceptance lies in [0, 1]");
  std::vector<double> shape(conditional.begin(), conditional.end());
  if (alpha == measured_alpha) return shape;
  if (alpha == 0.0) return std::vector<double>(shape.size(), 0.0);
  const double power = portable::log(alpha) / portable::log(measured_alpha);
  for (double& a : shape) a = portable::pow(a, power);
  return shape;
}

std::vector<double> shape_with_rate(std::span<const double> conditional, double rate) {
  check(rate >= 0.0 && rate <= 1.0, "an acceptance rate lies in [0, 1]");
  check_shape(conditional);
  // a^power with power = (1 - x) / x runs from a^inf = 0 to a^0 = 1 as x runs over (0, 1].
  const auto scaled = [conditional](double x) {
    std::vector<double> shape(conditional.begin(), conditional.end());
    for (double& a : shape) a = x > 0.0 ? portable::pow(a, (1.0 - x) / x) : 0.0;
    return shape;
  };
  return scaled(bisect_unit([&](double x) { return accepted_rate(scaled(x)); }, rate));
}

double accepted_rate(std::span<const double> conditional) {
  check(!conditional.empty(), "an acceptance rate needs at least one draft token");
  check_shape(conditional);
  return accepted_tokens(conditional) / static_cast<double>(conditional.size());
}

double accepted_share(std::span<const double> conditional) {
  check(!conditional.empty(), "a share of accepted tokens needs at least one draft token");
  check_shape(conditional);
  return accepted_tokens(conditional) /
         (1.0 + accepted_tokens(conditional.first(conditional.size() - 1)));
}

double rate_from_alpha(double alpha, int draft_tokens) {
  return accepted_rate(iid_shape(alpha, draft_tokens));
}

double alpha_from_rate(double rate, int draft_tokens) {
  check(rate >= 0.0 && rate <= 1.0, "an acceptance rate lies in [0, 1]");
  if (rate == 0.0) return 0.0;
  return bisect_unit([draft_tokens](double alpha) { return rate_from_alpha(alpha, draft_tokens); },
                     rate);
}

double mean_acceptance_length(std::span<const double> conditional) {
  check_shape(conditional);
  return 1.0 + accepted_tokens(conditional);
}

std::vector<double> accepted_distribution(std::span<const double> conditional) {
  check_shape(conditional);
  std::vector<double> distribution;
  double reach = 1.0;
  for (const double a : conditional) {
    distribution.push_back(reach * (1.0 - a));
    reach *= a;
  }
  distribution.push_back(reach);
  return distribution;
}

AcceptedThresholds accepted_thresholds(std::span<const double> conditional) {
  check_shape(conditional);
  AcceptedThresholds thresholds;
  thresholds.draft_tokens = static_cast<int>(conditional.size());
  double reach = 1.0;
  for (std::size_t k = 0; k < conditional.size(); ++k) {
    reach *= conditional[k];
    thresholds.at_least[k] = threshold_from_probability(reach);
  }
  return thresholds;
}

}  // namespace specroute::models
