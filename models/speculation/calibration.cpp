#include "models/speculation/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"
#include "models/speculation/acceptance.hpp"
#include "models/speculation/calibration_search.hpp"
#include "models/speculation/figure_text.hpp"
#include "models/speculation/monotone_root.hpp"

namespace specroute::models {
namespace {

constexpr RootSearch kSearch{.tolerance = 1e-9, .narrowest = 1e-14, .steps = 80};
constexpr double kFlattest = 1e-3;  // bounds of s / T: beyond them both sides are flat, or greedy
constexpr double kSharpest = 1e4;

/// What a figure says, whatever it is called.
enum class Statistic { agreement, rejection, exact_match };

Statistic statistic_of(const Figure& figure) {
  if (figure.kind == FigureKind::argmax_agreement || is_greedy(figure.parameters))
    return Statistic::agreement;
  if (figure.kind == FigureKind::mean_acceptance_length)
    return figure.rule == VerificationRule::rejection ? Statistic::rejection
                                                      : Statistic::exact_match;
  return figure.kind == FigureKind::rejection_acceptance ? Statistic::rejection
                                                         : Statistic::exact_match;
}

const char* to_string(Statistic statistic) {
  if (statistic == Statistic::agreement) return "argmax_agreement";
  return statistic == Statistic::rejection ? "rejection_acceptance" : "exact_match_acceptance";
}

double alpha_of(const Figure& figure) {
  const double rate = figure.kind == FigureKind::mean_acceptance_length
                          ? (figure.value - 1.0) / figure.draft_tokens
                          : figure.value;
  return alpha_from_rate(rate, figure.draft_tokens);
}

std::string describe(const Figure& figure) {
  std::string text = models::to_string(figure.kind);
  if (figure.kind == FigureKind::mean_acceptance_length)
    text += std::string{" under "} + models::to_string(figure.rule);
  text += " " + figure_text(figure.value) + " at " + std::to_string(figure.draft_tokens) +
          " draft tokens";
  const SamplingParameters& p = figure.parameters;
  if (figure.kind != FigureKind::argmax_agreement) {
    text += " and temperature " + figure_text(p.temperature);
    if (p.top_k > 0) text += ", top-k " + std::to_string(p.top_k);
    if (p.top_p < 1.0) text += ", top-p " + figure_text(p.top_p);
    if (p.min_p > 0.0) text += ", min-p " + figure_text(p.min_p);
  }
  return text + " (alpha " + figure_text(alpha_of(figure)) + ")";
}

std::vector<Figure> figures_of(const CalibrationRequest& request) {
  std::vector<Figure> figures{request.first, request.second};
  if (request.third) figures.push_back(*request.third);
  return figures;
}

Diagnostic refuse(const CalibrationRequest& request, std::string expected, const std::string& why) {
  std::string found;
  for (const Figure& figure : figures_of(request))
    found += (found.empty() ? "" : " with ") + describe(figure);
  return {.file = {},
          .place = {},
          .expected = std::move(expected),
          .found = found + ": " + why,
          .nearest = {}};
}

Diagnostics check_figure(const Figure& figure, const char* name) {
  Diagnostics faults;
  const auto fault = [&](const char* expected, const std::string& found) {
    faults.push_back(
        {.file = {}, .place = name, .expected = expected, .found = found, .nearest = {}});
  };
  if (figure.draft_tokens < 1 || figure.draft_tokens > kMaxDraftTokens)
    fault("1 to 16 draft tokens", std::to_string(figure.draft_tokens));
  if (figure.kind == FigureKind::mean_acceptance_length) {
    if (!(figure.value > 1.0 && figure.value < 1.0 + figure.draft_tokens))
      fault("a mean acceptance length in (1, draft tokens + 1)", figure_text(figure.value));
    if (figure.rule != VerificationRule::rejection && figure.rule != VerificationRule::exact_match)
      fault("a length under rejection or exact_match", models::to_string(figure.rule));
  } else if (!(figure.value > 0.0 && figure.value < 1.0)) {
    fault("a rate in (0, 1)", figure_text(figure.value));
  }
  return faults;
}

/// Says why one figure follows from the other, where it does.
std::optional<std::string> dependence(const Figure& a, const Figure& b) {
  const Statistic statistic = statistic_of(a);
  if (statistic != statistic_of(b)) return std::nullopt;
  if (statistic == Statistic::agreement) {
    const bool renamed =
        a.kind != FigureKind::argmax_agreement || b.kind != FigureKind::argmax_agreement;
    return std::string{"they are one figure twice"} +
           (renamed ? ": at temperature 0, or top-k 1, an acceptance is the argmax agreement" : "");
  }
  if (!same_distribution(a.parameters, b.parameters)) return std::nullopt;
  return std::string{"they are one figure twice: both say the "} + to_string(statistic) +
         " at one set of parameters";
}

class Solver {
 public:
  Solver(const CalibrationRequest& request, std::shared_ptr<const PositionTable> table)
      : request_(request), table_(std::move(table)) {}

  Result<PairParameters> run() const {
    std::optional<double> share;
    std::vector<Figure> acceptances;
    for (const Figure& figure : figures_of(request_)) {
      if (statistic_of(figure) == Statistic::agreement)
        share = alpha_of(figure);
      else
        acceptances.push_back(figure);
    }
    std::optional<double> ratio;
    if (share) {
      const double chance = 1.0 / static_cast<double>(table_->vocabulary());
      if (*share <= chance)
        return refuse(request_, "an argmax agreement above 1 / vocabulary = " + figure_text(chance),
                      "two unrelated models agree that often");
      ratio = table_->ratio_for_agreement(*share);
      if (acceptances.size() == 1 && statistic_of(acceptances.front()) == Statistic::exact_match)
        return match_at_ratio(acceptances.front(), *ratio, *share);
    }
    return by_search(acceptances, ratio);
  }

 private:
  PairParameters pair(double sharpness, double ratio) const {
    return {.sharpness = sharpness,
            .noise = ratio * request_.fidelity * sharpness,
            .fidelity = request_.fidelity,
            .sharpness_spread = request_.sharpness_spread};
  }

  // E sum p q rises from 1 / V to the agreement.
  Result<PairParameters> match_at_ratio(const Figure& match, double ratio, double share) const {
    const double wanted = alpha_of(match);
    const double chance = 1.0 / static_cast<double>(table_->vocabulary());
    if (wanted <= chance || wanted >= share) return outside(match, chance, share);
    const auto excess = [&](double s) {
      const PairModel model{pair(s, ratio), table_};
      return healthy_acceptance(model, match.parameters).exact_match - wanted;
    };
    const auto at = [&](double s) { return std::pair{s, excess(s)}; };
    const double scale = match.parameters.temperature;
    auto low = at(4.0 * scale);
    auto high = at(8.0 * scale);
    while (low.first > kFlattest * scale && low.second > 0.0)
      high = std::exchange(low, at(0.5 * low.first));
    while (high.first < kSharpest * scale && high.second < 0.0)
      low = std::exchange(high, at(2.0 * high.first));
    const bool root_at_an_end = low.second * high.second == 0.0;  // the first step lands on it
    if (!root_at_an_end && (low.second < 0.0) == (high.second < 0.0))
      return outside(match, low.second + wanted, high.second + wanted);
    const double root = monotone_root([&](double log_s) { return excess(portable::exp(log_s)); },
                                      {portable::log(low.first), low.second},
                                      {portable::log(high.first), high.second}, kSearch);
    return pair(portable::exp(root), ratio);
  }

  Result<PairParameters> by_search(const std::vector<Figure>& acceptances,
                                   std::optional<double> ratio) const {
    SearchProblem problem{
        .readings = {},
        .ratio = ratio,
        .fidelity = request_.third ? std::nullopt : std::optional{request_.fidelity},
        .sharpness_spread = request_.sharpness_spread,
        .table = table_};
    for (const Figure& figure : acceptances)
      problem.readings.push_back({.rejection = statistic_of(figure) == Statistic::rejection,
                                  .alpha = alpha_of(figure),
                                  .parameters = figure.parameters});
    const SearchResult found = search_pairs(problem);
    if (found.roots.empty())
      return outside(acceptances[found.impossible], found.lowest, found.highest, "about ");
    if (found.roots.size() == 1) return found.roots.front();
    if (request_.third) return flatter(found.roots);
    const auto name = [](const PairParameters& p) {
      return "s = " + figure_text(p.sharpness) + ", noise " + figure_text(p.noise) + ", kappa " +
             figure_text(p.fidelity);
    };
    return refuse(request_, "figures that one pair meets",
                  "two meet them, near " + name(found.roots[0]) + " and near " +
                      name(found.roots[1]) +
                      "; give another figure, another kappa, or the parameters that are meant");
  }

  // The branch of a draft that is flatter than its target, and of several the nearest to it.
  static PairParameters flatter(const std::vector<PairParameters>& roots) {
    constexpr double kEven = 1.001;  // kappa = 1 is on this branch, rounding aside
    const auto rank = [](const PairParameters& p) {
      return std::pair{p.fidelity > kEven, std::fabs(portable::log(p.fidelity))};
    };
    return *std::ranges::min_element(roots, {}, rank);
  }

  Diagnostic outside(const Figure& figure, double lowest, double highest,
                     const char* about = "") const {
    const std::string others =
        figures_of(request_).size() == 3
            ? "given the other figures and any kappa in [0.25, 4]"
            : "given the other figure and kappa " + figure_text(request_.fidelity);
    return refuse(request_,
                  std::string{to_string(statistic_of(figure))} + " with alpha in " + about + "(" +
                      figure_text(lowest) + ", " + figure_text(highest) + "), " + others,
                  "no sharpness and noise meet them");
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
    case FigureKind::mean_acceptance_length:
      return "mean_acceptance_length";
  }
  check(false, "a kind of figure is one of the enumerators");
  return "";
}

Result<PairParameters> calibrate(const CalibrationRequest& request,
                                 const std::shared_ptr<const PositionTable>& table) {
  check(request.fidelity > 0.0 && request.sharpness_spread >= 0.0,
        "kappa is above 0 and a spread not negative");
  const auto figures = figures_of(request);
  constexpr const char* kNames[] = {"first", "second", "third"};
  Diagnostics faults;
  for (std::size_t i = 0; i < figures.size(); ++i)
    for (auto& fault : check_figure(figures[i], kNames[i])) faults.push_back(std::move(fault));
  if (!faults.empty()) return faults;
  for (std::size_t i = 0; i < figures.size(); ++i)
    for (std::size_t j = i + 1; j < figures.size(); ++j)
      if (const auto why = dependence(figures[i], figures[j]))
        return refuse(request,
                      figures.size() == 2 ? "two independent figures" : "three independent figures",
                      *why);
  return Solver{request, table}.run();
}

}  // namespace specroute::models
