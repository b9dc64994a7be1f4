#include "models/speculation/evidence_calibration.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"
#include "models/speculation/acceptance.hpp"
#include "models/speculation/figure_text.hpp"
#include "models/speculation/monotone_root.hpp"

namespace specroute::models {
namespace {

constexpr double kLeast = 1e-3;  // bounds of what is solved
constexpr double kMost = 1e3;
constexpr double kTolerance = 1e-6;
constexpr int kRounds = 10;  // the second unknown hardly moves the first: two or three are taken

Diagnostic fault(const char* place, std::string expected, std::string found) {
  return {.file = {},
          .place = place,
          .expected = std::move(expected),
          .found = std::move(found),
          .nearest = {}};
}

Diagnostics check_figure(const Figure& figure, const char* place) {
  Diagnostics faults;
  if (!(figure.value > 0.0 && figure.value < 1.0))
    faults.push_back(fault(place, "a rate in (0, 1)", figure_text(figure.value)));
  if (figure.draft_tokens < 1 || figure.draft_tokens > kMaxDraftTokens)
    faults.push_back(fault(place, "1 to 16 draft tokens", std::to_string(figure.draft_tokens)));
  if (figure.kind != FigureKind::argmax_agreement && is_greedy(figure.parameters))
    faults.push_back(fault(place, "an acceptance of sides that sample",
                           "temperature 0 or top-k 1, where it is the argmax agreement"));
  return faults;
}

double alpha_of(const Figure& figure) {
  return alpha_from_rate(figure.value, figure.draft_tokens);
}

double predicted(const Figure& figure, const PairModel& model) {
  if (figure.kind == FigureKind::argmax_agreement) return argmax_agreement(model);
  const auto rule = figure.kind == FigureKind::rejection_acceptance ? VerificationRule::rejection
                                                                    : VerificationRule::exact_match;
  return evaluate(model, rule, healthy(figure.parameters)).acceptance;
}

// One parameter above 0, by one figure that it moves in one direction.
class Unknown {
 public:
  Unknown(const Figure& figure, double PairParameters::* parameter, double tolerance)
      : figure_(figure), parameter_(parameter), wanted_(alpha_of(figure)), tolerance_(tolerance) {}

  double excess(PairParameters pair, double log_value,
                const std::shared_ptr<const PositionTable>& table) const {
    pair.*parameter_ = portable::exp(log_value);
    return predicted(figure_, PairModel{pair, table}) - wanted_;
  }

  bool holds(const PairParameters& pair, const std::shared_ptr<const PositionTable>& table) const {
    return std::fabs(excess(pair, portable::log(pair.*parameter_), table)) <= tolerance_;
  }

  // False where nothing meets the figure.
  bool solve(PairParameters& pair, const std::shared_ptr<const PositionTable>& table) const {
    const auto at = [&](double log_value) -> RootEnd {
      return {log_value, excess(pair, log_value, table)};
    };
    const RootEnd low = at(portable::log(kLeast));
    const RootEnd high = at(portable::log(kMost));
    if ((low.value < 0.0) == (high.value < 0.0)) return false;
    const RootSearch search{
        .tolerance = 0.1 * tolerance_, .narrowest = 1e-12, .steps = 60, .bisections = 3};
    const auto value = [&](double log_value) { return excess(pair, log_value, table); };
    pair.*parameter_ = portable::exp(monotone_root(value, low, high, search));
    return true;
  }

  // What is possible, given the rest of the pair.
  Diagnostic refusal(const char* place, const PairParameters& pair,
                     const std::shared_ptr<const PositionTable>& table) const {
    double low = wanted_ + excess(pair, portable::log(kLeast), table);
    double high = wanted_ + excess(pair, portable::log(kMost), table);
    if (low > high) std::swap(low, high);
    return fault(place,
                 std::string{to_string(figure_.kind)} + " with alpha in (" + figure_text(low) +
                     ", " + figure_text(high) + "), given the other figure and the structure",
                 figure_text(figure_.value) + " at " + std::to_string(figure_.draft_tokens) +
                     " draft tokens (alpha " + figure_text(wanted_) + ")");
  }

 private:
  Figure figure_;
  double PairParameters::* parameter_;
  double wanted_;
  double tolerance_;
};

}  // namespace

Result<PairParameters> calibrate_evidence(const EvidenceRequest& request,
                                          const std::shared_ptr<const PositionTable>& table) {
  Diagnostics faults = check_figure(request.exact_match, "exact_match");
  for (auto& one : check_figure(request.other, "other")) faults.push_back(std::move(one));
  if (request.exact_match.kind != FigureKind::exact_match_acceptance)
    faults.push_back(
        fault("exact_match", "an exact_match_acceptance", to_string(request.exact_match.kind)));
  const bool agreement = request.other.kind == FigureKind::argmax_agreement;
  if (!agreement && request.other.kind != FigureKind::rejection_acceptance)
    faults.push_back(fault("other", "a rejection_acceptance or an argmax_agreement",
                           to_string(request.other.kind)));
  if (!faults.empty()) return faults;

  PairParameters pair{.sharpness = request.structure.sharpness,
                      .draft_evidence = 1.0,
                      .target_evidence = 1.0,
                      .evidence_spread = request.structure.evidence_spread,
                      .drift = request.structure.drift};
  const double step = 1.0 / static_cast<double>(table->positions());
  Unknown draft{request.exact_match, &PairParameters::draft_evidence, kTolerance};
  if (draft.excess(pair, portable::log(kLeast), table) > 0.0) {
    pair.draft_evidence = 0.0;
    // A position's next token jumps as the sharpness moves.
    draft = Unknown{request.exact_match, &PairParameters::sharpness, step};
  }
  const Unknown target{request.other, &PairParameters::target_evidence,
                       agreement ? step : kTolerance};
  for (int round = 0; round < kRounds; ++round) {
    if (!draft.solve(pair, table)) return draft.refusal("exact_match", pair, table);
    if (!target.solve(pair, table)) return target.refusal("other", pair, table);
    if (draft.holds(pair, table)) return pair;
  }
  return target.refusal("other", pair, table);
}

}  // namespace specroute::models
