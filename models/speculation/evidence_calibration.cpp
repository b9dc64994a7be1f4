#include "models/speculation/evidence_calibration.hpp"

#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"
#include "models/speculation/acceptance.hpp"

namespace specroute::models {
namespace {

constexpr double kLeast = 1e-3;  // bounds of what is solved
constexpr double kMost = 1e3;
constexpr double kTolerance = 1e-6;
constexpr int kRounds = 10;  // the second unknown hardly moves the first: two or three are taken
constexpr int kMaxSteps = 60;
constexpr int kBisections = 3;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

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
    faults.push_back(fault(place, "a rate in (0, 1)", number(figure.value)));
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

// Where to look between two ends. Far from the root both are flat, and a middle says more than a
// slope.
double share(int step, double f0, double f1) {
  return step < kBisections ? 0.5 : f0 / (f0 - f1);
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

  // False position with halving (Illinois) over the logarithm. False where nothing meets the
  // figure.
  bool solve(PairParameters& pair, const std::shared_ptr<const PositionTable>& table) const {
    double x0 = portable::log(kLeast);
    double x1 = portable::log(kMost);
    double f0 = excess(pair, x0, table);
    double f1 = excess(pair, x1, table);
    if ((f0 < 0.0) == (f1 < 0.0)) return false;
    double x = x0;
    int stayed = 0;  // which end has stayed: its value is halved, so that it moves too
    for (int step = 0; step < kMaxSteps && x1 - x0 > 1e-12; ++step) {
      x = x0 + (x1 - x0) * share(step, f0, f1);
      const double f = excess(pair, x, table);
      if (std::fabs(f) <= 0.1 * tolerance_) break;
      if ((f < 0.0) == (f0 < 0.0)) {
        x0 = x;
        f0 = f;
        if (std::exchange(stayed, 1) == 1) f1 *= 0.5;
      } else {
        x1 = x;
        f1 = f;
        if (std::exchange(stayed, -1) == -1) f0 *= 0.5;
      }
    }
    pair.*parameter_ = portable::exp(x);
    return true;
  }

  // What is possible, given the rest of the pair.
  Diagnostic refusal(const char* place, const PairParameters& pair,
                     const std::shared_ptr<const PositionTable>& table) const {
    double low = wanted_ + excess(pair, portable::log(kLeast), table);
    double high = wanted_ + excess(pair, portable::log(kMost), table);
    if (low > high) std::swap(low, high);
    return fault(place,
                 std::string{to_string(figure_.kind)} + " with alpha in (" + number(low) + ", " +
                     number(high) + "), given the other figure and the structure",
                 number(figure_.value) + " at " + std::to_string(figure_.draft_tokens) +
                     " draft tokens (alpha " + number(wanted_) + ")");
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
