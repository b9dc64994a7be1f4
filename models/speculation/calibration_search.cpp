#include "models/speculation/calibration_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include <specroute/vocab/check.hpp>

#include "models/random/portable_math.hpp"
#include "models/speculation/rules.hpp"

namespace specroute::models {
namespace {

constexpr std::size_t kMaxUnknowns = 3;
constexpr double kTolerance = 1e-9;     // of an acceptance, where it is smooth
constexpr double kJumps = 1e-3;         // where tokens pass a cut one by one
constexpr double kCoarseError = 0.025;  // of an acceptance over a few positions
constexpr double kSame = 0.03;          // distance in logarithms below which two roots are one
constexpr int kMaxSteps = 24;

using Vector = std::array<double, kMaxUnknowns>;
using Matrix = std::array<Vector, kMaxUnknowns>;

struct Axis {
  double low;  // of the logarithm
  double step;
};

double largest(const Vector& vector, std::size_t size) {
  double result = 0.0;
  for (std::size_t i = 0; i < size; ++i) result = std::max(result, std::fabs(vector[i]));
  return result;
}

// Gaussian elimination with row pivots. A singular system gives a step of no use, which the
// damping of the caller then shortens away.
Vector solve_linear(Matrix a, Vector b, std::size_t size) {
  for (std::size_t column = 0; column < size; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < size; ++row)
      if (std::fabs(a[row][column]) > std::fabs(a[pivot][column])) pivot = row;
    std::swap(a[column], a[pivot]);
    std::swap(b[column], b[pivot]);
    if (std::fabs(a[column][column]) < 1e-12) a[column][column] = 1e-12;
    for (std::size_t row = column + 1; row < size; ++row) {
      const double factor = a[row][column] / a[column][column];
      for (std::size_t k = column; k < size; ++k) a[row][k] -= factor * a[column][k];
      b[row] -= factor * b[column];
    }
  }
  Vector x{};
  for (std::size_t row = size; row-- > 0;) {
    double value = b[row];
    for (std::size_t k = row + 1; k < size; ++k) value -= a[row][k] * x[k];
    x[row] = value / a[row][row];
  }
  return x;
}

/// What the readings say of a point, over one table.
class Equations {
 public:
  Equations(const SearchProblem& problem, std::shared_ptr<const PositionTable> table)
      : problem_(problem), table_(std::move(table)) {}

  [[nodiscard]] std::size_t size() const { return problem_.readings.size(); }

  [[nodiscard]] PairParameters pair(const Vector& x) const {
    std::size_t next = 1;
    const double sharpness = portable::exp(x[0]);
    const double ratio = problem_.ratio ? *problem_.ratio : portable::exp(x[next++]);
    const double fidelity = problem_.fidelity ? *problem_.fidelity : portable::exp(x[next++]);
    return {.sharpness = sharpness,
            .noise = ratio * fidelity * sharpness,
            .fidelity = fidelity,
            .sharpness_spread = problem_.sharpness_spread};
  }

  /// Acceptances less those wanted. Readings at equal parameters share a pass.
  [[nodiscard]] Vector residual(const Vector& x) const {
    const PairModel model{pair(x), table_};
    Vector result{};
    for (std::size_t i = 0; i < size(); ++i) {
      const Reading& reading = problem_.readings[i];
      const bool known =
          i > 0 && same_distribution(reading.parameters, problem_.readings[i - 1].parameters);
      if (!known) accepted_ = healthy_acceptance(model, reading.parameters);
      result[i] = (reading.rejection ? accepted_.rejection : accepted_.exact_match) - reading.alpha;
    }
    return result;
  }

 private:
  const SearchProblem& problem_;
  std::shared_ptr<const PositionTable> table_;
  mutable HealthyAcceptance accepted_{};
};

Matrix jacobian(const Equations& equations, const Vector& x, const Vector& at_x) {
  constexpr double kStep = 1e-3;
  Matrix result{};
  for (std::size_t k = 0; k < equations.size(); ++k) {
    Vector moved = x;
    moved[k] += kStep;
    const Vector there = equations.residual(moved);
    for (std::size_t i = 0; i < equations.size(); ++i) result[i][k] = (there[i] - at_x[i]) / kStep;
  }
  return result;
}

struct Approach {
  Vector x;
  double error;  // largest residual
};

/// Broyden's method with halved steps while they do not help. `slope` is the matrix to begin with.
Approach approach(const Equations& equations, Vector x, Matrix slope, double tolerance) {
  const std::size_t size = equations.size();
  Vector residual = equations.residual(x);
  double error = largest(residual, size);
  for (int step = 0; step < kMaxSteps && error > tolerance;) {
    Vector move = solve_linear(slope, residual, size);
    const double length = largest(move, size);
    const double limit = length > 1.0 ? 1.0 / length : 1.0;
    for (double& part : move) part *= -limit;
    Vector next{};
    Vector there{};
    bool better = false;
    for (int halving = 0; halving < 4 && !better && step < kMaxSteps; ++halving, ++step) {
      if (halving > 0)
        for (double& part : move) part *= 0.5;
      for (std::size_t k = 0; k < size; ++k) next[k] = x[k] + move[k];
      there = equations.residual(next);
      better = largest(there, size) < error;
    }
    double norm = 0.0;
    for (std::size_t k = 0; k < size; ++k) norm += move[k] * move[k];
    if (norm < 1e-26) break;
    for (std::size_t i = 0; i < size; ++i) {
      double predicted = 0.0;
      for (std::size_t k = 0; k < size; ++k) predicted += slope[i][k] * move[k];
      const double missed = (there[i] - residual[i] - predicted) / norm;
      for (std::size_t k = 0; k < size; ++k) slope[i][k] += missed * move[k];
    }
    if (!better) continue;
    x = next;
    residual = there;
    error = largest(residual, size);
  }
  return {x, error};
}

/// The scan of the box.
class Grid {
 public:
  Grid(const SearchProblem& problem, const Equations& equations)
      : unknowns_(equations.size()),
        points_(unknowns_ == 1   ? 28
                : unknowns_ == 2 ? 12
                                 : 8) {
    double temperature = 0.0;
    for (const Reading& reading : problem.readings)
      temperature = std::max(temperature, reading.parameters.temperature);
    add_axis(0.5 * temperature, 100.0 * temperature);
    if (!problem.ratio) add_axis(2e-3, 4.0);
    if (!problem.fidelity) add_axis(0.25, 4.0);
    check(axes_.size() == unknowns_, "a search has as many unknowns as readings");
    std::size_t nodes = 1;
    for (std::size_t k = 0; k < unknowns_; ++k) nodes *= points_;
    for (std::size_t node = 0; node < nodes; ++node)
      residuals_.push_back(equations.residual(point(node, 0.0)));
  }

  [[nodiscard]] std::size_t nodes() const { return residuals_.size(); }
  [[nodiscard]] const Vector& residual(std::size_t node) const { return residuals_[node]; }

  /// The place of a node, moved by `shift` cells along every axis.
  [[nodiscard]] Vector point(std::size_t node, double shift) const {
    Vector x{};
    for (std::size_t k = 0; k < unknowns_; ++k) {
      x[k] = axes_[k].low + (static_cast<double>(node % points_) + shift) * axes_[k].step;
      node /= points_;
    }
    return x;
  }

  /// Least and greatest residual of a reading over the corners of the cell above a node; nothing at
  /// the upper ends of the axes.
  [[nodiscard]] std::optional<std::pair<double, double>> range(std::size_t node,
                                                               std::size_t reading) const {
    std::pair<double, double> result{residuals_[node][reading], residuals_[node][reading]};
    for (std::size_t corner = 0; corner < (std::size_t{1} << unknowns_); ++corner) {
      std::size_t other = node;
      std::size_t stride = 1;
      for (std::size_t k = 0; k < unknowns_; ++k, stride *= points_) {
        if ((corner >> k & 1U) == 0) continue;
        if (node / stride % points_ + 1 == points_) return std::nullopt;
        other += stride;
      }
      result.first = std::min(result.first, residuals_[other][reading]);
      result.second = std::max(result.second, residuals_[other][reading]);
    }
    return result;
  }

  /// Whether the first `readings` all pass their wanted values in the cell above a node, or come as
  /// close as `slack`.
  [[nodiscard]] bool may_meet(std::size_t node, std::size_t readings, double slack) const {
    for (std::size_t i = 0; i < readings; ++i) {
      const auto found = range(node, i);
      if (!found || found->first > slack || found->second < -slack) return false;
    }
    return true;
  }

  /// Whether two places are closer than a cell along every axis.
  [[nodiscard]] bool close(const Vector& a, const Vector& b) const {
    for (std::size_t k = 0; k < unknowns_; ++k)
      if (std::fabs(a[k] - b[k]) > 0.6 * axes_[k].step) return false;
    return true;
  }

  /// Whether a place lies in the box, or half a cell beside it.
  [[nodiscard]] bool holds(const Vector& x) const {
    for (std::size_t k = 0; k < unknowns_; ++k) {
      const double cell = (x[k] - axes_[k].low) / axes_[k].step;
      if (cell < -0.5 || cell > static_cast<double>(points_) - 0.5) return false;
    }
    return true;
  }

 private:
  void add_axis(double low, double high) {
    const double start = portable::log(low);
    axes_.push_back({start, (portable::log(high) - start) / static_cast<double>(points_ - 1)});
  }

  std::size_t unknowns_;
  std::size_t points_;
  std::vector<Axis> axes_;
  std::vector<Vector> residuals_;
};

bool known(const std::vector<Approach>& roots, const Vector& x, std::size_t size) {
  return std::ranges::any_of(roots, [&](const Approach& root) {
    Vector distance{};
    for (std::size_t k = 0; k < size; ++k) distance[k] = root.x[k] - x[k];
    return largest(distance, size) < kSame;
  });
}

/// Where Broyden's method leads on the coarse table from the cells that may hold a root.
std::vector<Approach> coarse_approaches(const Grid& grid, const Equations& coarse, double slack) {
  std::vector<Approach> found;
  for (std::size_t node = 0; node < grid.nodes(); ++node) {
    if (!grid.may_meet(node, coarse.size(), slack)) continue;
    const Vector start = grid.point(node, 0.5);
    if (std::ranges::any_of(found, [&](const auto& root) { return grid.close(root.x, start); }))
      continue;
    const Vector residual = coarse.residual(start);
    const Approach one = approach(coarse, start, jacobian(coarse, start, residual), 0.01 * kJumps);
    if (grid.holds(one.x) && one.error < kCoarseError && !known(found, one.x, coarse.size()))
      found.push_back(one);
  }
  return found;
}

/// Roots on the coarse table; where there are none, the place that comes nearest.
std::vector<Approach> coarse_roots(const Grid& grid, const Equations& coarse) {
  std::vector<Approach> found = coarse_approaches(grid, coarse, 0.0);
  std::vector<Approach> roots;
  std::ranges::copy_if(found, std::back_inserter(roots),
                       [](const Approach& one) { return one.error < kJumps; });
  if (!roots.empty()) return roots;
  if (found.empty()) found = coarse_approaches(grid, coarse, kCoarseError);
  const auto nearest = std::ranges::min_element(found, {}, &Approach::error);
  if (nearest != found.end()) roots.push_back(*nearest);
  return roots;
}

void name_range(const Grid& grid, const SearchProblem& problem, SearchResult& result) {
  const std::size_t last = problem.readings.size() - 1;
  for (std::size_t reading = 0; reading <= last; ++reading) {
    double lowest = 1.0;
    double highest = 0.0;
    const double wanted = problem.readings[reading].alpha;
    for (std::size_t node = 0; node < grid.nodes(); ++node) {
      const auto found = grid.range(node, reading);
      if (!found || !grid.may_meet(node, reading, kCoarseError)) continue;
      lowest = std::min(lowest, found->first + wanted);
      highest = std::max(highest, found->second + wanted);
    }
    result.impossible = reading;
    result.lowest = std::max(0.0, lowest);
    result.highest = std::min(1.0, highest);
    if (wanted < lowest || wanted > highest) return;
  }
}

bool cuts(const SearchProblem& problem) {
  return std::ranges::any_of(problem.readings, [](const Reading& reading) {
    const SamplingParameters& p = reading.parameters;
    return p.top_k > 0 || p.top_p < 1.0 || p.min_p > 0.0;
  });
}

/// One search: a scan on a table of so many positions, and its roots on the full table.
SearchResult search_from(const SearchProblem& problem, std::size_t coarse_positions) {
  const Equations coarse{
      problem, std::make_shared<const PositionTable>(PositionTableSize{
                   .positions = coarse_positions, .vocabulary = problem.table->vocabulary()})};
  const Equations full{problem, problem.table};
  const Grid grid{problem, coarse};
  std::vector<Approach> roots;
  for (const Approach& start : coarse_roots(grid, coarse)) {
    const Matrix slope = jacobian(coarse, start.x, coarse.residual(start.x));
    const Approach found = approach(full, start.x, slope, kTolerance);
    const double allowed = cuts(problem) ? kJumps : 10.0 * kTolerance;
    if (found.error <= allowed && grid.holds(found.x) && !known(roots, found.x, full.size()))
      roots.push_back(found);
  }
  SearchResult result;
  for (const Approach& root : roots) result.roots.push_back(full.pair(root.x));
  if (roots.empty()) name_range(grid, problem, result);
  return result;
}

}  // namespace

SearchResult search_pairs(const SearchProblem& problem) {
  const std::size_t unknowns = problem.readings.size();
  check(unknowns >= 1 && unknowns <= kMaxUnknowns, "a search has one to three readings");
  const bool fidelity_alone = unknowns == 2 && problem.ratio;  // the least certain of the systems
  const auto found = search_from(problem, unknowns == 1 || fidelity_alone ? 32 : 16);
  if (!found.roots.empty()) return found;
  return search_from(problem, unknowns == 3 ? 64 : 128);  // nothing is refused on a rough table
}

}  // namespace specroute::models
