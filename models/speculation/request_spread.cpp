#include "models/speculation/request_spread.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>

#include <specroute/vocab/check.hpp>

#include "models/random/distributions.hpp"
#include "models/random/portable_math.hpp"
#include "models/speculation/acceptance.hpp"

namespace specroute::models {
namespace {

constexpr int kBisections = 60;
constexpr double kLargestShift = 40.0;  // of log x: e^40 makes any power 0 or 1

std::array<double, kRequestQuantiles> normal_quantiles() {
  std::array<double, kRequestQuantiles> quantiles{};
  for (std::size_t j = 0; j < quantiles.size(); ++j)
    quantiles[j] =
        standard_normal((static_cast<double>(j) + 0.5) / static_cast<double>(quantiles.size()));
  return quantiles;
}

/// The kinds at one shift c, row by row.
class Kinds {
 public:
  Kinds(std::span<const double> conditional, double scale) : tokens_(conditional.size()) {
    check(scale >= 0.0 && scale <= kLargestScale, "a spread of requests lies in [0, 12]");
    for (const double z : normal_quantiles()) powers_.push_back(portable::exp(-scale * z));
    logarithms_.assign(conditional.begin(), conditional.end());
    portable::log_in_place(logarithms_);
    acceptances_.resize(powers_.size() * tokens_);
  }

  void shift(double c) {
    const double factor = portable::exp(c);
    for (std::size_t j = 0; j < powers_.size(); ++j)
      for (std::size_t k = 0; k < tokens_; ++k)
        acceptances_[j * tokens_ + k] = factor * powers_[j] * logarithms_[k];
    portable::exp_in_place(acceptances_);
  }

  [[nodiscard]] std::span<const double> shape(std::size_t j) const {
    return {&acceptances_[j * tokens_], tokens_};
  }

  [[nodiscard]] double counted_length() const {
    double steps_per_token = 0.0;
    for (std::size_t j = 0; j < powers_.size(); ++j)
      steps_per_token += 1.0 / mean_acceptance_length(shape(j));
    return static_cast<double>(powers_.size()) / steps_per_token;
  }

  /// The shift at which the counted length, which falls with it, is `wanted`.
  void meet(double wanted) {
    double low = -kLargestShift;
    double high = kLargestShift;
    for (int i = 0; i < kBisections; ++i) {
      const double middle = 0.5 * (low + high);
      shift(middle);
      (counted_length() > wanted ? low : high) = middle;
    }
  }

 private:
  std::size_t tokens_;
  std::vector<double> powers_;
  std::vector<double> logarithms_;
  std::vector<double> acceptances_;
};

Kinds solved(std::span<const double> conditional, double scale) {
  Kinds kinds(conditional, scale);
  kinds.meet(mean_acceptance_length(conditional));
  return kinds;
}

}  // namespace

std::vector<std::vector<double>> spread_shapes(std::span<const double> conditional, double scale) {
  std::vector<std::vector<double>> shapes;
  const bool settled = scale == 0.0 || std::ranges::all_of(conditional, [](double a) {
                         return a == 0.0 || a == 1.0;
                       });
  if (settled) {
    shapes.assign(kRequestQuantiles, {conditional.begin(), conditional.end()});
    return shapes;
  }
  const Kinds kinds = solved(conditional, scale);
  for (std::size_t j = 0; j < kRequestQuantiles; ++j) {
    const auto shape = kinds.shape(j);
    shapes.emplace_back(shape.begin(), shape.end());
  }
  return shapes;
}

double step_correlation(std::span<const double> conditional, double scale) {
  check(!conditional.empty(), "a correlation needs at least one draft token");
  if (conditional.front() <= 0.0 || conditional.front() >= 1.0) return 0.0;
  const Kinds kinds = solved(conditional, scale);
  double mean = 0.0;
  for (std::size_t j = 0; j < kRequestQuantiles; ++j) mean += kinds.shape(j).front();
  mean /= kRequestQuantiles;
  double variance = 0.0;
  for (std::size_t j = 0; j < kRequestQuantiles; ++j) {
    const double distance = kinds.shape(j).front() - mean;
    variance += distance * distance;
  }
  return variance / kRequestQuantiles / (mean * (1.0 - mean));
}

Result<double> scale_for_correlation(std::span<const double> conditional, double correlation) {
  check(correlation >= 0.0 && correlation < 1.0, "a correlation lies in [0, 1)");
  if (correlation == 0.0) return 0.0;
  const double largest = step_correlation(conditional, kLargestScale);
  if (correlation > largest) {
    char text[96];
    std::snprintf(text, sizeof text, "a correlation of at most %.3g at a first acceptance of %.3g",
                  largest, conditional.front());
    char found[32];
    std::snprintf(found, sizeof found, "%.3g", correlation);
    return Diagnostic{.file = {}, .place = {}, .expected = text, .found = found, .nearest = {}};
  }
  double low = 0.0;
  double high = kLargestScale;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (low + high);
    (step_correlation(conditional, middle) < correlation ? low : high) = middle;
  }
  return high;
}

}  // namespace specroute::models
