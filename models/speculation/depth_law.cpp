#include "models/speculation/depth_law.hpp"

#include <algorithm>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"
#include "models/speculation/acceptance.hpp"

namespace specroute::models {
namespace {

constexpr double kLeastLogHazard = -13.815510557964274;   // log 1e-6
constexpr double kGreatestLogHazard = 2.995732273553991;  // log 20
constexpr double kGreatestLogGrowth = 2.302585092994046;  // log 10
constexpr int kScan = 48;      // steps of the scan that brackets a minimum
constexpr int kSections = 48;  // golden sections of a bracket: each leaves 0.618 of it

struct Minimum {
  double at;
  double value;
};

/// The least of f on [low, high]: a scan finds the valley, golden sections its ground.
/// @source Kiefer, "Sequential minimax search for a maximum", Proc. AMS 4, 1953.
template <class F>
Minimum minimise(F f, double low, double high) {
  const double step = (high - low) / kScan;
  Minimum best{low, f(low)};
  for (int i = 1; i <= kScan; ++i) {
    const double at = low + step * i;
    if (const double value = f(at); value < best.value) best = {at, value};
  }
  constexpr double kGolden = 0.6180339887498949;
  double left = std::max(low, best.at - step);
  double right = std::min(high, best.at + step);
  double a = right - kGolden * (right - left);
  double b = left + kGolden * (right - left);
  double value_a = f(a);
  double value_b = f(b);
  for (int i = 0; i < kSections; ++i) {
    if (value_a <= value_b) {
      right = b;
      b = a;
      value_b = value_a;
      a = right - kGolden * (right - left);
      value_a = f(a);
    } else {
      left = a;
      a = b;
      value_a = value_b;
      b = left + kGolden * (right - left);
      value_b = f(b);
    }
  }
  const Minimum refined = value_a <= value_b ? Minimum{a, value_a} : Minimum{b, value_b};
  return refined.value < best.value ? refined : best;
}

/// Squared error of the lengths under one law.
double squared_error(std::span<const MeasuredLength> measured, const DepthLaw& law, int longest) {
  const std::vector<double> shape = depth_shape(law, longest);
  double error = 0.0;
  for (const MeasuredLength& row : measured) {
    const auto tokens = static_cast<std::size_t>(row.draft_tokens);
    const double difference =
        mean_acceptance_length(std::span(shape).first(tokens)) - row.acceptance_length;
    error += difference * difference;
  }
  return error;
}

}  // namespace

std::vector<double> depth_shape(const DepthLaw& law, int draft_tokens) {
  std::vector<double> shape;
  double hazard = law.hazard;
  for (int token = 0; token < draft_tokens; ++token) {
    shape.push_back(portable::exp(-hazard));
    hazard *= law.growth;
  }
  return shape;
}

DepthLaw fit_depth_law(std::span<const MeasuredLength> measured) {
  const auto [shortest, longest] =
      std::ranges::minmax_element(measured, {}, &MeasuredLength::draft_tokens);
  check(!measured.empty() && shortest->draft_tokens < longest->draft_tokens,
        "two draft lengths at least fix a depth law");
  const int tokens = longest->draft_tokens;
  const auto hazard_at = [&](double growth) {
    return minimise(
        [&](double log_hazard) {
          return squared_error(measured, {portable::exp(log_hazard), growth}, tokens);
        },
        kLeastLogHazard, kGreatestLogHazard);
  };
  const Minimum growth =
      minimise([&](double log_growth) { return hazard_at(portable::exp(log_growth)).value; },
               -kGreatestLogGrowth, kGreatestLogGrowth);
  const double g = portable::exp(growth.at);
  return {.hazard = portable::exp(hazard_at(g).at), .growth = g};
}

}  // namespace specroute::models
