#include "models/speculation/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"
#include "models/speculation/acceptance.hpp"
#include "models/speculation/rules.hpp"

namespace specroute::models {
namespace {

constexpr double kAcceptanceTolerance = 1e-9;
constexpr int kMaxSteps = 80;
constexpr double kFlattest = 1e-3;  // bounds of s / T: beyond them both sides are flat, or greedy
constexpr double kSharpest = 1e4;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string describe(const Figure& figure) {
  std::string text = std::string{to_string(figure.kind)} + " " + number(figure.rate) + " at " +
                     std::to_string(figure.draft_tokens) + " draft tokens";
  if (figure.kind != FigureKind::argmax_agreement)
    text += " and temperature " + number(figure.parameters.temperature);
  return text + " (alpha " + number(alpha_from_rate(figure.rate, figure.draft_tokens)) + ")";
}

Diagnostic refuse(const CalibrationRequest& request, std::string expected, const std::string& why) {
  return {.file = {},
          .place = {},
          .expected = std::move(expected),
          .found = describe(request.first) + " with " + describe(request.second) + ": " + why,
          .nearest = {}};
}

Diagnostics check_figure(const Figure& figure, const char* name) {
  Diagnostics faults;
  const auto fault = [&](const char* expected, const std::string& found) {
    faults.push_back(
        {.file = {}, .place = name, .expected = expected, .found = found, .nearest = {}});
  };
  if (!(figure.rate > 0.0 && figure.rate < 1.0)) fault("a rate in (0, 1)", number(figure.rate));
  if (figure.draft_tokens < 1 || figure.draft_tokens > kMaxDraftTokens)
    fault("1 to 16 draft tokens", std::to_string(figure.draft_tokens));
  if (figure.kind != FigureKind::argmax_agreement && is_greedy(figure.parameters))
    fault("an acceptance measured while sampling",
          "temperature 0 or top-k 1, where an acceptance is the argmax agreement");
  return faults;
}

// Root of a monotone function of log x on a bracket, by false position with halving (Illinois):
// the bracket never opens, and the order of convergence is 1.44. Null without a change of sign.
template <class Function>
std::optional<double> solve(Function function, double low, double high, double tolerance) {
  double x0 = portable::log(low);
  double x1 = portable::log(high);
  double f0 = function(low);
  double f1 = function(high);
  const bool root_at_an_end = f0 * f1 == 0.0;  // the first step lands on it
  if (!root_at_an_end && (f0 < 0.0) == (f1 < 0.0)) return std::nullopt;
  int stayed = 0;  // which end has stayed: its value is halved, so that it moves too
  for (int step = 0; step < kMaxSteps; ++step) {
    const double x = x0 + (x1 - x0) * (f0 / (f0 - f1));
    const double f = function(portable::exp(x));
    if (std::fabs(f) < tolerance || x1 - x0 < 1e-14) return portable::exp(x);
    if ((f < 0.0) == (f0 < 0.0)) {
      x0 = x;
      f0 = f;
      if (stayed == 1) f1 *= 0.5;
      stayed = 1;
    } else {
      x1 = x;
      f1 = f;
      if (stayed == -1) f0 *= 0.5;
      stayed = -1;
    }
  }
  return portable::exp(0.5 * (x0 + x1));
}

// What the figures say, as functions of (s, ratio = epsilon / (kappa s)).
class Solver {
 public:
  Solver(const CalibrationRequest& request, std::shared_ptr<const PositionTable> table)
      : request_(request), table_(std::move(table)) {}

  Result<PairParameters> run() const {
    const Figure* agreement = find(FigureKind::argmax_agreement);
    const Figure* rejection = find(FigureKind::rejection_acceptance);
    const Figure* match = find(FigureKind::exact_match_acceptance);
    if (agreement == nullptr) return without_agreement(*rejection, *match);
    const double share = alpha(*agreement);
    const double chance = 1.0 / static_cast<double>(table_->vocabulary());
    if (share <= chance)
      return refuse(request_, "an argmax agreement above 1 / vocabulary = " + number(chance),
                    "two unrelated models agree that often");
    const double ratio = table_->ratio_for_agreement(share);
    return rejection == nullptr ? match_at_ratio(*match, ratio, share)
                                : rejection_at_ratio(*rejection, ratio);
  }

 private:
  const Figure* find(FigureKind kind) const {
    if (request_.first.kind == kind) return &request_.first;
    return request_.second.kind == kind ? &request_.second : nullptr;
  }

  static double alpha(const Figure& figure) {
    return alpha_from_rate(figure.rate, figure.draft_tokens);
  }

  PairParameters pair(double sharpness, double ratio) const {
    return {.sharpness = sharpness,
            .noise = ratio * request_.fidelity * sharpness,
            .fidelity = request_.fidelity,
            .sharpness_spread = request_.sharpness_spread};
  }

  double acceptance(const Figure& figure, double sharpness, double ratio) const {
    const auto rule = figure.kind == FigureKind::rejection_acceptance
                          ? VerificationRule::rejection
                          : VerificationRule::exact_match;
    return evaluate(PairModel{pair(sharpness, ratio), table_}, rule, healthy(figure.parameters))
        .acceptance;
  }

  // E sum p q rises from 1 / V to the agreement.
  Result<PairParameters> match_at_ratio(const Figure& match, double ratio, double share) const {
    const double wanted = alpha(match);
    const double chance = 1.0 / static_cast<double>(table_->vocabulary());
    if (wanted <= chance || wanted >= share) return outside(chance, share);
    const auto excess = [&](double s) { return acceptance(match, s, ratio) - wanted; };
    const double scale = match.parameters.temperature;
    double low = 4.0 * scale;
    double high = 8.0 * scale;
    while (low > kFlattest * scale && excess(low) > 0.0) high = std::exchange(low, 0.5 * low);
    while (high < kSharpest * scale && excess(high) < 0.0) low = std::exchange(high, 2.0 * high);
    const auto sharpness = solve(excess, low, high, kAcceptanceTolerance);
    if (!sharpness) return outside(excess(low) + wanted, excess(high) + wanted);
    return pair(*sharpness, ratio);
  }

  Result<PairParameters> rejection_at_ratio(const Figure& rejection, double ratio) const {
    const double wanted = alpha(rejection);
    const auto excess = [&](double s) { return acceptance(rejection, s, ratio) - wanted; };
    // With kappa != 1 the curve can turn: look for every crossing on a grid before refining one.
    const double scale = rejection.parameters.temperature;
    std::vector<std::pair<double, double>> brackets;
    double lowest = 1.0;
    double highest = 0.0;
    double previous_s = 0.0;
    double previous = 0.0;
    for (double s = 0.0625 * scale; s <= 1024.0 * scale; s *= 1.4142135623730951) {
      const double value = excess(s);
      lowest = std::min(lowest, value + wanted);
      highest = std::max(highest, value + wanted);
      if (previous_s > 0.0 && (value < 0.0) != (previous < 0.0))
        brackets.emplace_back(previous_s, s);
      previous_s = s;
      previous = value;
    }
    if (brackets.empty()) return outside(lowest, highest);
    if (brackets.size() > 1)
      return refuse(request_, "figures that one sharpness meets",
                    "two meet them, near s = " + number(brackets[0].first) + " and s = " +
                        number(brackets[1].first) + "; give another figure or another kappa");
    const auto [low, high] = brackets.front();
    const auto sharpness = solve(excess, low, high, kAcceptanceTolerance);
    check(sharpness.has_value(), "a bracket with a change of sign has a root");
    return pair(sharpness.value_or(low), ratio);
  }

  // For each s, the ratio that meets the rejection figure; then the s that meets the exact match.
  Result<PairParameters> without_agreement(const Figure& rejection, const Figure& match) const {
    const double wanted_match = alpha(match);
    const double wanted_rejection = alpha(rejection);
    const auto ratio_at = [&](double s) {
      const auto excess = [&](double r) { return acceptance(rejection, s, r) - wanted_rejection; };
      return solve(excess, 1e-5, 1e3, 0.1 * kAcceptanceTolerance);
    };
    const auto match_at = [&](double s) -> std::optional<double> {
      const auto ratio = ratio_at(s);
      return ratio ? std::optional{acceptance(match, s, *ratio)} : std::nullopt;
    };
    const double scale = std::max(match.parameters.temperature, rejection.parameters.temperature);
    double lowest = 1.0;
    double highest = 0.0;
    double previous_s = 0.0;  // 0: none yet
    double previous = 0.0;
    for (double s = 0.25 * scale; s <= 256.0 * scale; s *= 2.0) {
      const auto value = match_at(s);
      if (!value) {
        previous_s = 0.0;
        continue;
      }
      lowest = std::min(lowest, *value);
      highest = std::max(highest, *value);
      const double excess = *value - wanted_match;
      if (previous_s > 0.0 && (excess < 0.0) != (previous < 0.0)) {
        const auto sharpness =
            solve([&](double t) { return match_at(t).value_or(0.0) - wanted_match; }, previous_s, s,
                  10.0 * kAcceptanceTolerance);
        return pair(*sharpness, *ratio_at(*sharpness));
      }
      previous_s = s;
      previous = excess;
    }
    return outside(lowest, highest);
  }

  Diagnostic outside(double lowest, double highest) const {
    const char* moving = request_.first.kind == FigureKind::argmax_agreement
                             ? to_string(request_.second.kind)
                             : to_string(request_.first.kind);
    if (find(FigureKind::argmax_agreement) == nullptr) moving = "exact_match_acceptance";
    return refuse(request_,
                  std::string{moving} + " with alpha in (" + number(lowest) + ", " +
                      number(highest) + "), given the other figure and kappa " +
                      number(request_.fidelity),
                  "no sharpness and noise meet both");
  }

  const CalibrationRequest& request_;
  std::shared_ptr<const PositionTable> table_;
};

}  // namespace

const char* to_string(FigureKind kind) {
  switch (kind) {
    case FigureKind::rejection_acceptance:
      return "rejection_acceptance";
    case FigureKind::exact_match_acceptance:
      return "exact_match_acceptance";
    case FigureKind::argmax_agreement:
      return "argmax_agreement";
  }
  check(false, "a kind of figure is one of the enumerators");
  return "";
}

Result<PairParameters> calibrate(const CalibrationRequest& request,
                                 const std::shared_ptr<const PositionTable>& table) {
  check(request.fidelity > 0.0 && request.sharpness_spread >= 0.0,
        "kappa is above 0 and a spread not negative");
  Diagnostics faults = check_figure(request.first, "first");
  for (auto& fault : check_figure(request.second, "second")) faults.push_back(std::move(fault));
  if (!faults.empty()) return faults;
  if (request.first.kind == request.second.kind)
    return refuse(request, "two independent figures", "they are one figure twice");
  return Solver{request, table}.run();
}

}  // namespace specroute::models
